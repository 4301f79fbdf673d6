module expect-a2a/interop

go 1.24.4

require (
	github.com/a2aproject/a2a-go v0.3.12
	github.com/a2aproject/a2a-go/v2 v2.1.0
	github.com/rs/cors v1.11.1
)

require (
	github.com/google/uuid v1.6.0 // indirect
	golang.org/x/sync v0.19.0 // indirect
)
