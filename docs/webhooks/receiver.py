# Receives webhooks: accepts only what is signed and recent, and handles every delivery once.
# Python 3.8 or later, nothing to install:
#   WEBHOOK_SECRET='whsec_…' PORT=8080 python3 receiver.py
import base64
import hashlib
import hmac
import json
import os
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("WEBHOOK_SECRET", "")
if not SECRET.startswith("whsec_"):
    raise SystemExit("WEBHOOK_SECRET is not set")
KEY = base64.b64decode(SECRET[len("whsec_") :])
TOLERANCE_SECONDS = 5 * 60
MAX_BODY_BYTES = 1024 * 1024
MAX_HANDLED = 10_000

# Store both in your database; they are lost when the process ends.
HANDLED = {}
# The time of the last event of each monitor.
LATEST = {}
# One at a time: a delivery that arrives twice at the same time is handled once.
LOCK = threading.Lock()


# Only webhook-id, webhook-timestamp and the body are signed. While the secret is rotated, there is a signature with each.
def is_signed(headers, body):
    delivery_id, sent_at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if delivery_id == "" or not re.fullmatch("[0-9]{1,12}", sent_at):
        return False
    if abs(time.time() - int(sent_at)) > TOLERANCE_SECONDS:
        return False
    signed = f"{delivery_id}.{sent_at}.".encode() + body
    digest = hmac.new(KEY, signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(each.encode(), expected) for each in given)


# An endpoint with a format of its own can send something else than an event in JSON: None.
def parse_event(body):
    try:
        event = json.loads(body)
    except (ValueError, RecursionError):
        return None
    is_event = isinstance(event, dict) and isinstance(event.get("event"), str)
    return event if is_event else None


def handle_once(delivery_id, event):
    with LOCK:
        if delivery_id in HANDLED:
            return
        handle(delivery_id, event)
        HANDLED[delivery_id] = True
        if len(HANDLED) > MAX_HANDLED:
            del HANDLED[next(iter(HANDLED))]


# Your code. If it raises, the delivery is retried; what takes longer than 30 seconds belongs in a queue.
def handle(delivery_id, event):
    late = " (late, ignored)" if is_late(event) else ""
    print(delivery_id, event["event"] + late, flush=True)


# A retried older event can come after a newer one of its monitor. ISO 8601 in UTC compares as text.
def is_late(event):
    if not event.get("monitor"):
        return False
    monitor, timestamp = event["monitor"]["id"], event.get("timestamp", "")
    if timestamp < LATEST.get(monitor, ""):
        return True
    LATEST[monitor] = timestamp
    return False


class Receiver(BaseHTTPRequestHandler):
    # Seconds without a byte until a connection is closed.
    timeout = 30

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch("[0-9]{1,12}", length):
            return self.respond(411)
        if int(length) > MAX_BODY_BYTES:
            return self.respond(413)
        body = self.rfile.read(int(length))
        if len(body) < int(length) or not is_signed(self.headers, body):
            return self.respond(401)
        event = parse_event(body)
        if event is None:
            return self.respond(400)
        try:
            handle_once(self.headers["webhook-id"], event)
        except Exception as error:
            # Nothing is remembered, so the next attempt is handled.
            print("failed:", error, flush=True)
            return self.respond(500)
        self.respond(204)

    def respond(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *args):
        pass


server = ThreadingHTTPServer(("", int(os.environ.get("PORT", "8080"))), Receiver)
print("listening on port", server.server_port, flush=True)
server.serve_forever()
