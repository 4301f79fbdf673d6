// Package desk is the lending desk of tests/interop/desk.ts: what it does next, in words that each executor puts into events.
package desk

import (
	"context"
	"log"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"
)

const (
	// How long the desk takes over each piece of a search.
	piece = 120 * time.Millisecond
	key   = "desk-key-4711"
)

// Guarded is true when the card demands a bearer token.
var Guarded = os.Getenv("GUARDED") == "yes"

// URL is where the desk is.
var URL = "http://127.0.0.1:" + os.Getenv("PORT")

// Step is a piece of the answer when State is empty, else a change of state.
type Step struct {
	State  string
	Text   string
	Append bool
	Last   bool
}

// Desk remembers what it was told in each context.
type Desk struct {
	mutex sync.Mutex
	told  map[string]string
}

// New opens a desk.
func New() *Desk { return &Desk{told: map[string]string{}} }

var tells = regexp.MustCompile(`(?i)(?:my name is|ask you for it later:) ([\w-]+)`)

// Serve tells each step of a task; it ends early when the context does or yield refuses.
func (d *Desk) Serve(ctx context.Context, text, contextID string, isAnswer bool, yield func(Step) bool) {
	has := func(words string) bool { return strings.Contains(strings.ToLower(text), words) }
	d.mutex.Lock()
	if found := tells.FindStringSubmatch(text); found != nil {
		d.told[contextID] = found[1]
	}
	told, known := d.told[contextID]
	d.mutex.Unlock()
	if !known {
		told = "nothing"
	}

	steps := []Step{{State: "working", Text: "One moment …"}, {Text: "The book is due on Friday.", Last: true}, {State: "completed"}}
	pause := time.Duration(0)
	switch {
	case isAnswer:
		steps = []Step{{Text: "Renewed: " + text + ".", Last: true}, {State: "completed"}}
	case has("renew"):
		steps = []Step{{State: "input-required", Text: "Which book?"}}
	case has("who am i"), has("which code word"):
		steps = []Step{{Text: "I was told: " + told + ".", Last: true}, {State: "completed"}}
	case has("search"):
		pause = piece
		steps = []Step{steps[0], {Text: "It is "}, {Text: "on shelf ", Append: true}, {Text: "four.", Append: true, Last: true}, steps[2]}
	case has("wait"):
		yield(steps[0])
		<-ctx.Done()
		return
	}
	for index, step := range steps {
		if index > 0 {
			time.Sleep(pause)
		}
		if !yield(step) {
			return
		}
	}
}

// Run serves the agent. A guarded one refuses strangers in front of the SDK's handlers, but not the public card.
func Run(mux http.Handler) {
	guarded := http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		isPublic := strings.HasPrefix(request.URL.Path, "/.well-known/")
		if Guarded && !isPublic && request.Header.Get("Authorization") != "Bearer "+key {
			response.Header().Set("WWW-Authenticate", `Bearer realm="desk"`)
			response.WriteHeader(http.StatusUnauthorized)
			return
		}
		mux.ServeHTTP(response, request)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), guarded))
}
