// Receives webhooks and accepts only those with a valid signature.
// Go 1.19 or later, nothing to install:
//
//	WEBHOOK_SECRET='whsec_…' PORT=8080 go run receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"sync"
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
	seen sync.Map
	// The time of the last event of each monitor.
	latest = map[string]string{}
	mutex  sync.Mutex
)

func main() {
	secret := os.Getenv("WEBHOOK_SECRET")
	if secret == "" {
		log.Fatal("WEBHOOK_SECRET is not set")
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || !isSigned(secret, r.Header, body) {
			http.Error(w, "bad signature", http.StatusUnauthorized)
			return
		}
		id := r.Header.Get("X-Service-Delivery-Id")
		if _, isKnown := seen.LoadOrStore(id, true); !isKnown {
			var event Event
			if err := json.Unmarshal(body, &event); err == nil && isLate(event) {
				log.Println(id, event.Event, "(late, ignored)")
			} else if err == nil {
				log.Println(id, event.Event)
			}
		}
		w.WriteHeader(http.StatusNoContent)
	})
	log.Println("listening on port", port)
	log.Fatal(http.ListenAndServe(":"+port, nil))
}

// A retried older event can come after a newer one of its monitor. ISO 8601 in UTC compares as text.
func isLate(event Event) bool {
	if event.Monitor == nil {
		return false
	}
	mutex.Lock()
	defer mutex.Unlock()
	if event.Timestamp < latest[event.Monitor.ID] {
		return true
	}
	latest[event.Monitor.ID] = event.Timestamp
	return false
}

// During a rotation, X-Service-Signature-Next is signed with the new secret.
func isSigned(secret string, header http.Header, body []byte) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	expected := []byte("sha256=" + hex.EncodeToString(mac.Sum(nil)))
	return hmac.Equal([]byte(header.Get("X-Service-Signature")), expected) ||
		hmac.Equal([]byte(header.Get("X-Service-Signature-Next")), expected)
}
