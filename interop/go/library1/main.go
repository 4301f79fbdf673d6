// Serves the library agent by a2a-go 2, which speaks A2A 1.0.
package main

import (
	"context"
	"iter"
	"net/http"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/a2aproject/a2a-go/v2/a2asrv/push"
	"github.com/a2aproject/a2a-go/v2/a2asrv/taskstore"

	"expect-a2a/interop/library"
)

type executor struct{ agent *library.Agent }

var states = map[string]a2a.TaskState{
	"working":        a2a.TaskStateWorking,
	"completed":      a2a.TaskStateCompleted,
	"input-required": a2a.TaskStateInputRequired,
	"auth-required":  a2a.TaskStateAuthRequired,
}

func (e *executor) Execute(ctx context.Context, about *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		isAnswer := about.StoredTask != nil
		if !isAnswer && !yield(a2a.NewSubmittedTask(about, about.Message), nil) {
			return
		}
		told := library.Incoming{TaskID: string(about.TaskID), ContextID: about.ContextID, Text: textOf(about.Message), IsAnswer: isAnswer}
		e.agent.Serve(ctx, told, func(step library.Step) bool {
			if step.Receipt != "" {
				data, receipt := a2a.NewDataPart(step.Loans), a2a.NewRawPart([]byte(step.Receipt))
				data.MediaType, receipt.MediaType, receipt.Filename = "application/json", "text/plain", "receipt.txt"
				event := a2a.NewArtifactUpdateEvent(about, "loan", data, receipt)
				event.Artifact.Name, event.Append, event.LastChunk = "Loan", false, true
				return yield(event, nil)
			}
			if step.State == "" {
				event := a2a.NewArtifactUpdateEvent(about, "answer", a2a.NewTextPart(step.Text))
				event.Artifact.Name, event.Append, event.LastChunk = "Answer", step.Append, step.Last
				return yield(event, nil)
			}
			var says *a2a.Message
			if step.Text != "" {
				says = a2a.NewMessageForTask(a2a.MessageRoleAgent, about, a2a.NewTextPart(step.Text))
			}
			return yield(a2a.NewStatusUpdateEvent(about, states[step.State], says), nil)
		})
	}
}

func (e *executor) Cancel(_ context.Context, about *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		yield(a2a.NewStatusUpdateEvent(about, a2a.TaskStateCanceled, nil), nil)
	}
}

func textOf(message *a2a.Message) string {
	var text strings.Builder
	for _, part := range message.Parts {
		text.WriteString(part.Text())
	}
	return text.String()
}

func main() {
	card := &a2a.AgentCard{
		Name:        "Library",
		Description: "Tells when a book is due.",
		Version:     "1.0.0",
		SupportedInterfaces: []*a2a.AgentInterface{
			a2a.NewAgentInterface(library.URL+"/rpc", a2a.TransportProtocolJSONRPC),
			a2a.NewAgentInterface(library.URL+"/rest", a2a.TransportProtocolHTTPJSON),
		},
		Capabilities:       a2a.AgentCapabilities{Streaming: true, PushNotifications: true, ExtendedAgentCard: library.Guarded},
		DefaultInputModes:  []string{"text/plain"},
		DefaultOutputModes: []string{"text/plain"},
		Skills: []a2a.AgentSkill{
			{ID: "due-date", Name: "Due date", Description: "Looks up when a book must be back.", Tags: []string{"books"}},
		},
	}
	if library.Guarded {
		card.SecuritySchemes = a2a.NamedSecuritySchemes{"key": a2a.HTTPAuthSecurityScheme{Scheme: "bearer"}}
		card.SecurityRequirements = a2a.SecurityRequirementsOptions{{"key": {}}}
	}
	extended := *card
	extended.Name = "Library for members"

	// The default store lists nothing for clients whom an interceptor has not authenticated.
	store := taskstore.NewInMemory(&taskstore.InMemoryStoreConfig{
		Authenticator: func(context.Context) (string, error) { return "everybody", nil },
	})
	open := library.New()
	handler := a2asrv.NewHandler(
		&executor{open},
		a2asrv.WithTaskStore(store),
		a2asrv.WithPushNotifications(push.NewInMemoryStore(), push.NewHTTPPushSender(nil)),
		a2asrv.WithExtendedAgentCard(&extended),
	)
	mux := http.NewServeMux()
	cards := a2asrv.NewStaticAgentCardHandler(card)
	mux.Handle(a2asrv.WellKnownAgentCardPath, cards)
	mux.Handle("/rpc", a2asrv.NewJSONRPCHandler(handler))
	mux.Handle("/rest/", http.StripPrefix("/rest", a2asrv.NewRESTHandler(handler)))
	library.Furnish(mux, "/rpc", cards)
	library.Furnish(mux, "/rest", cards)
	open.Run(mux)
}
