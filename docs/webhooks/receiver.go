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

// Store these IDs in your database; this map is lost when the process ends.
var seen sync.Map

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
			var event struct {
				Event string `json:"event"`
			}
			if err := json.Unmarshal(body, &event); err == nil {
				log.Println(id, event.Event)
			}
		}
		w.WriteHeader(http.StatusNoContent)
	})
	log.Println("listening on port", port)
	log.Fatal(http.ListenAndServe(":"+port, nil))
}

// During a rotation, X-Service-Signature-Next is signed with the new secret.
func isSigned(secret string, header http.Header, body []byte) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	expected := []byte("sha256=" + hex.EncodeToString(mac.Sum(nil)))
	return hmac.Equal([]byte(header.Get("X-Service-Signature")), expected) ||
		hmac.Equal([]byte(header.Get("X-Service-Signature-Next")), expected)
}
