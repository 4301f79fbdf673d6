// Package library is the library agent of tests/interop/libraryAgent.ts: the steps of a task, which each executor turns into events of its SDK.
package library

import (
	"context"
	"log"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/rs/cors"
)

const (
	// How long the agent takes over each piece of a search.
	piece = 120 * time.Millisecond
	// How long it takes before it finds something in the cellar: long enough to interrupt its stream and resume it.
	ponder = time.Second
	key    = "library-key-4711"
)

// furnished is true when the app allows pages of other origins.
var furnished = os.Getenv("FURNISHED") == "yes"

// Guarded is true when the card requires a bearer token.
var Guarded = os.Getenv("GUARDED") == "yes"

// URL is where the agent is.
var URL = "http://127.0.0.1:" + os.Getenv("PORT")

// Step is a loan when it has a Receipt, a piece of the answer when State is empty, else a change of state.
type Step struct {
	State   string
	Text    string
	Append  bool
	Last    bool
	Loans   map[string]any
	Receipt string
}

// Incoming is what the agent receives; an answer continues the task that asked.
type Incoming struct {
	TaskID    string
	ContextID string
	Text      string
	IsAnswer  bool
}

// Agent remembers what it was told in each context.
type Agent struct {
	mutex    sync.Mutex
	told     map[string]string
	approved map[string]chan struct{}
}

// New makes an agent.
func New() *Agent { return &Agent{told: map[string]string{}, approved: map[string]chan struct{}{}} }

var tells = regexp.MustCompile(`(?i)(?:my name is|ask you for it later:) ([\w-]+)`)

// Serve yields each step of a task; it ends early when the context is done or yield returns false.
func (d *Agent) Serve(ctx context.Context, about Incoming, yield func(Step) bool) {
	has := func(words string) bool { return strings.Contains(strings.ToLower(about.Text), words) }
	d.mutex.Lock()
	if found := tells.FindStringSubmatch(about.Text); found != nil {
		d.told[about.ContextID] = found[1]
	}
	told, known := d.told[about.ContextID]
	d.mutex.Unlock()
	if !known {
		told = "nothing"
	}

	steps := []Step{{State: "working", Text: "One moment …"}, {Text: "The book is due on Friday.", Last: true}, {State: "completed"}}
	pause := time.Duration(0)
	switch {
	case about.IsAnswer:
		steps = []Step{{Text: "Renewed: " + about.Text + ".", Last: true}, {State: "completed"}}
	case has("renew"):
		steps = []Step{{State: "input-required", Text: "Which book?"}}
	case has("who am i"), has("which code word"):
		steps = []Step{{Text: "I was told: " + told + ".", Last: true}, {State: "completed"}}
	case has("reserve"):
		approved := d.wait(about.TaskID)
		if !yield(Step{State: "auth-required", Text: "A librarian must allow this."}) {
			return
		}
		select {
		case <-approved:
		case <-ctx.Done():
			return
		}
		steps = []Step{{Text: "It is reserved.", Last: true}, {State: "completed"}}
	case has("lend"):
		steps = []Step{steps[0], {Loans: map[string]any{"book": "Momo", "days": 28}, Receipt: "Momo: 28 days"}, steps[2]}
	case has("search"):
		pause = piece
		steps = []Step{steps[0], {Text: "It is "}, {Text: "on shelf ", Append: true}, {Text: "four.", Append: true, Last: true}, steps[2]}
	case has("wait"):
		yield(steps[0])
		<-ctx.Done()
		return
	}
	for index, step := range steps {
		if index == 1 && has("cellar") {
			time.Sleep(ponder)
		}
		if index > 0 {
			time.Sleep(pause)
		}
		if !yield(step) {
			return
		}
	}
}

func (d *Agent) wait(taskID string) <-chan struct{} {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	approved := make(chan struct{})
	d.approved[taskID] = approved
	return approved
}

// approve approves what a task is waiting for, outside A2A.
func (d *Agent) approve(response http.ResponseWriter, request *http.Request) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	taskID := request.PathValue("taskID")
	approved, waits := d.approved[taskID]
	if !waits {
		http.NotFound(response, request)
		return
	}
	delete(d.approved, taskID)
	close(approved)
	response.WriteHeader(http.StatusNoContent)
}

// Furnish lets GET at an endpoint answer the card, where the app adds what it can around the SDK's handlers.
func Furnish(mux *http.ServeMux, endpoint string, card http.Handler) {
	if furnished {
		mux.Handle("GET "+endpoint, card)
	}
}

// Run serves the agent. A guarded one rejects unauthenticated requests before the SDK's handlers, except for the public card.
func (d *Agent) Run(mux *http.ServeMux) {
	mux.HandleFunc("POST /approve/{taskID}", d.approve)
	guarded := http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		isPublic := strings.HasPrefix(request.URL.Path, "/.well-known/")
		if Guarded && !isPublic && request.Header.Get("Authorization") != "Bearer "+key {
			response.Header().Set("WWW-Authenticate", `Bearer realm="library"`)
			response.WriteHeader(http.StatusUnauthorized)
			return
		}
		mux.ServeHTTP(response, request)
	})
	app := http.Handler(guarded)
	if furnished {
		app = cors.New(cors.Options{AllowedHeaders: []string{"*"}}).Handler(guarded)
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), app))
}
