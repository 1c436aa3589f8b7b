# Receives webhooks and believes only those that are signed.
# Python 3.8 or later, nothing to install:
#   WEBHOOK_SECRET='whsec_…' PORT=8080 python3 receiver.py
import hashlib
import hmac
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()
# Keep these ids in your database; this set forgets them with the process.
SEEN = set()


def is_signed(headers, body):
    expected = "sha256=" + hmac.new(SECRET, body, hashlib.sha256).hexdigest()
    # While the secret is rotated, the new one signs in X-Service-Signature-Next.
    names = ("X-Service-Signature", "X-Service-Signature-Next")
    given = [headers.get(name, "") for name in names]
    return any(hmac.compare_digest(each.encode(), expected.encode()) for each in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not is_signed(self.headers, body):
            return self.answer(401)
        delivery_id = self.headers["X-Service-Delivery-Id"]
        if delivery_id not in SEEN:
            SEEN.add(delivery_id)
            print(delivery_id, json.loads(body)["event"], flush=True)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *args):
        pass


server = ThreadingHTTPServer(("", int(os.environ.get("PORT", "8080"))), Receiver)
print("listening on port", server.server_port, flush=True)
server.serve_forever()
