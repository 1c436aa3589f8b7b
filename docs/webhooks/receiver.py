# Receives webhooks and accepts only those with a valid signature.
# Python 3.8 or later, nothing to install:
#   WEBHOOK_SECRET='whsec_…' PORT=8080 python3 receiver.py
import hashlib
import hmac
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()
# Store both in your database; they are lost when the process ends.
SEEN = set()
# The time of the last event of each monitor.
LATEST = {}


def is_signed(headers, body):
    expected = "sha256=" + hmac.new(SECRET, body, hashlib.sha256).hexdigest()
    # During a rotation, X-Service-Signature-Next is signed with the new secret.
    names = ("X-Service-Signature", "X-Service-Signature-Next")
    given = [headers.get(name, "") for name in names]
    return any(hmac.compare_digest(each.encode(), expected.encode()) for each in given)


def is_late(event):
    # A retried older event can come after a newer one of its monitor. ISO 8601 in UTC compares as text.
    if "monitor" not in event:
        return False
    monitor, timestamp = event["monitor"]["id"], event["timestamp"]
    if timestamp < LATEST.get(monitor, ""):
        return True
    LATEST[monitor] = timestamp
    return False


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not is_signed(self.headers, body):
            return self.respond(401)
        delivery_id = self.headers["X-Service-Delivery-Id"]
        if delivery_id not in SEEN:
            SEEN.add(delivery_id)
            event = json.loads(body)
            late = " (late, ignored)" if is_late(event) else ""
            print(delivery_id, event["event"] + late, flush=True)
        self.respond(204)

    def respond(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *args):
        pass


server = ThreadingHTTPServer(("", int(os.environ.get("PORT", "8080"))), Receiver)
print("listening on port", server.server_port, flush=True)
server.serve_forever()
