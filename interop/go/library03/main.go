// Serves the library agent by a2a-go 0.3, which speaks A2A 0.3 over JSON-RPC.
package main

import (
	"context"
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/a2aproject/a2a-go/a2a"
	"github.com/a2aproject/a2a-go/a2asrv"
	"github.com/a2aproject/a2a-go/a2asrv/eventqueue"
	"github.com/a2aproject/a2a-go/a2asrv/push"

	"expect-a2a/interop/library"
)

type executor struct{ agent *library.Agent }

var states = map[string]a2a.TaskState{
	"working":        a2a.TaskStateWorking,
	"completed":      a2a.TaskStateCompleted,
	"input-required": a2a.TaskStateInputRequired,
	"auth-required":  a2a.TaskStateAuthRequired,
}

func (e *executor) Execute(ctx context.Context, about *a2asrv.RequestContext, queue eventqueue.Queue) (err error) {
	isAnswer := about.StoredTask != nil
	if !isAnswer {
		if err := queue.Write(ctx, a2a.NewSubmittedTask(about, about.Message)); err != nil {
			return err
		}
	}
	told := library.Incoming{TaskID: string(about.TaskID), ContextID: about.ContextID, Text: textOf(about.Message), IsAnswer: isAnswer}
	e.agent.Serve(ctx, told, func(step library.Step) bool {
		err = queue.Write(ctx, eventOf(about, step))
		return err == nil
	})
	return err
}

func (e *executor) Cancel(ctx context.Context, about *a2asrv.RequestContext, queue eventqueue.Queue) error {
	event := a2a.NewStatusUpdateEvent(about, a2a.TaskStateCanceled, nil)
	event.Final = true
	return queue.Write(ctx, event)
}

func eventOf(about *a2asrv.RequestContext, step library.Step) a2a.Event {
	if step.Receipt != "" {
		receipt := a2a.FileBytes{
			FileMeta: a2a.FileMeta{MimeType: "text/plain", Name: "receipt.txt"},
			Bytes:    base64.StdEncoding.EncodeToString([]byte(step.Receipt)),
		}
		event := a2a.NewArtifactUpdateEvent(about, "loan", a2a.DataPart{Data: step.Loans}, a2a.FilePart{File: receipt})
		event.Artifact.Name, event.Append, event.LastChunk = "Loan", false, true
		return event
	}
	if step.State == "" {
		event := a2a.NewArtifactUpdateEvent(about, "answer", a2a.TextPart{Text: step.Text})
		event.Artifact.Name, event.Append, event.LastChunk = "Answer", step.Append, step.Last
		return event
	}
	var says *a2a.Message
	if step.Text != "" {
		says = a2a.NewMessageForTask(a2a.MessageRoleAgent, about, a2a.TextPart{Text: step.Text})
	}
	event := a2a.NewStatusUpdateEvent(about, states[step.State], says)
	event.Final = step.State != "working" && step.State != "auth-required"
	return event
}

func textOf(message *a2a.Message) string {
	var text strings.Builder
	for _, part := range message.Parts {
		switch part := part.(type) {
		case a2a.TextPart:
			text.WriteString(part.Text)
		case *a2a.TextPart:
			text.WriteString(part.Text)
		}
	}
	return text.String()
}

func main() {
	card := &a2a.AgentCard{
		Name:                              "Library",
		Description:                       "Tells when a book is due.",
		Version:                           "1.0.0",
		ProtocolVersion:                   "0.3.0",
		URL:                               library.URL + "/rpc",
		PreferredTransport:                a2a.TransportProtocolJSONRPC,
		Capabilities:                      a2a.AgentCapabilities{Streaming: true, PushNotifications: true},
		SupportsAuthenticatedExtendedCard: library.Guarded,
		DefaultInputModes:                 []string{"text/plain"},
		DefaultOutputModes:                []string{"text/plain"},
		Skills: []a2a.AgentSkill{
			{ID: "due-date", Name: "Due date", Description: "Looks up when a book must be back.", Tags: []string{"books"}},
		},
	}
	if library.Guarded {
		card.SecuritySchemes = a2a.NamedSecuritySchemes{"key": a2a.HTTPAuthSecurityScheme{Scheme: "bearer"}}
		card.Security = []a2a.SecurityRequirements{{"key": {}}}
	}
	extended := *card
	extended.Name = "Library for members"

	open := library.New()
	handler := a2asrv.NewHandler(
		&executor{open},
		a2asrv.WithPushNotifications(push.NewInMemoryStore(), push.NewHTTPPushSender(nil)),
		a2asrv.WithExtendedAgentCard(&extended),
	)
	mux := http.NewServeMux()
	cards := a2asrv.NewStaticAgentCardHandler(card)
	mux.Handle(a2asrv.WellKnownAgentCardPath, cards)
	mux.Handle("/rpc", a2asrv.NewJSONRPCHandler(handler))
	library.Furnish(mux, "/rpc", cards)
	open.Run(mux)
}
