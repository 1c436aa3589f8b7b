// Receives webhooks: accepts only what is signed and recent, and handles every delivery once.
// Go 1.19 or later, nothing to install:
//
//	WEBHOOK_SECRET='whsec_…' PORT=8080 go run receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	tolerance    = 5 * time.Minute
	maxBodyBytes = 1024 * 1024
	maxHandled   = 10_000
)

// Event is the part of an event that this receiver reads.
type Event struct {
	Event     string `json:"event"`
	Timestamp string `json:"timestamp"`
	Monitor   *struct {
		ID string `json:"id"`
	} `json:"monitor"`
}

// Store both in your database; they are lost when the process ends.
var (
	handled = map[string]bool{}
	// The time of the last event of each monitor.
	latest = map[string]string{}
	// The IDs in handled, the oldest first.
	order []string
	// One at a time: a delivery that arrives twice at the same time is handled once.
	mutex sync.Mutex
)

func main() {
	text := os.Getenv("WEBHOOK_SECRET")
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(text, "whsec_"))
	if err != nil || !strings.HasPrefix(text, "whsec_") {
		log.Fatal("WEBHOOK_SECRET is not set")
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	server := &http.Server{
		ReadTimeout: 30 * time.Second,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(receive(key, w, r))
		}),
	}
	listener, err := net.Listen("tcp", ":"+port)
	if err != nil {
		log.Fatal(err)
	}
	log.Println("listening on port", port)
	log.Fatal(server.Serve(listener))
}

func receive(key []byte, w http.ResponseWriter, r *http.Request) int {
	if r.Method != http.MethodPost {
		return http.StatusMethodNotAllowed
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBodyBytes))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return http.StatusRequestEntityTooLarge
	}
	if err != nil || !isSigned(key, r.Header, body) {
		return http.StatusUnauthorized
	}
	// An endpoint with a format of its own can send something else than an event in JSON.
	var event Event
	if json.Unmarshal(body, &event) != nil || event.Event == "" {
		return http.StatusBadRequest
	}
	if err := handleOnce(r.Header.Get("webhook-id"), event); err != nil {
		// Nothing is remembered, so the next attempt is handled.
		log.Println(err)
		return http.StatusInternalServerError
	}
	return http.StatusNoContent
}

// Only webhook-id, webhook-timestamp and the body are signed. While the secret is rotated, there is a signature with each.
func isSigned(key []byte, header http.Header, body []byte) bool {
	id, sentAt := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(sentAt, 10, 64)
	if err != nil || id == "" {
		return false
	}
	if age := time.Since(time.Unix(seconds, 0)); age > tolerance || age < -tolerance {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + sentAt + "."))
	mac.Write(body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, given := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(given), expected) {
			return true
		}
	}
	return false
}

func handleOnce(id string, event Event) error {
	mutex.Lock()
	defer mutex.Unlock()
	if handled[id] {
		return nil
	}
	if err := handle(id, event); err != nil {
		return err
	}
	handled[id] = true
	order = append(order, id)
	if len(order) > maxHandled {
		delete(handled, order[0])
		order = order[1:]
	}
	return nil
}

// Your code. If it returns an error, the delivery is retried; what takes longer than 30 seconds belongs in a queue.
func handle(id string, event Event) error {
	if isLate(event) {
		log.Println(id, event.Event, "(late, ignored)")
	} else {
		log.Println(id, event.Event)
	}
	return nil
}

// A retried older event can come after a newer one of its monitor. ISO 8601 in UTC compares as text.
func isLate(event Event) bool {
	if event.Monitor == nil {
		return false
	}
	if event.Timestamp < latest[event.Monitor.ID] {
		return true
	}
	latest[event.Monitor.ID] = event.Timestamp
	return false
}
