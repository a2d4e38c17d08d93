// The client driver (README.md) over segmentio/kafka-go.
package main

import (
	"bufio"
	"context"
	"errors"
	"os"
	"time"

	"github.com/segmentio/kafka-go"

	"dohle/compat-tests/clients/go/lines"
)

var codecs = map[string]kafka.Compression{
	"gzip":   kafka.Gzip,
	"snappy": kafka.Snappy,
	"lz4":    kafka.Lz4,
	"zstd":   kafka.Zstd,
}

func main() {
	options := lines.Arguments()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	if options.Mode == "produce" {
		produce(ctx, options)
	} else {
		consume(ctx, options)
	}
}

func produce(ctx context.Context, options lines.Options) {
	records := lines.Read()
	offsets := make([]int64, len(records))
	writer := &kafka.Writer{
		Addr: kafka.TCP(options.Bootstrap), Topic: options.Topic, RequiredAcks: kafka.RequireAll, Compression: codecs[options.Codec],
		AllowAutoTopicCreation: true, BatchBytes: 12 << 20, BatchSize: 1000, BatchTimeout: 50 * time.Millisecond,
		Balancer: kafka.BalancerFunc(func(kafka.Message, ...int) int { return int(options.Partition) }),
		Completion: func(messages []kafka.Message, err error) {
			for _, message := range messages {
				offsets[message.WriterData.(int)] = message.Offset
			}
		},
	}
	var messages []kafka.Message
	for index, each := range records {
		message := kafka.Message{Key: each.Key, Value: each.Value, WriterData: index}
		for _, header := range each.Headers {
			message.Headers = append(message.Headers, kafka.Header{Key: header.Key, Value: header.Value})
		}
		messages = append(messages, message)
	}
	// A topic that the first request creates is no topic yet: kafka-go leaves the next try to its user.
	err := writer.WriteMessages(ctx, messages...)
	for errors.Is(err, kafka.UnknownTopicOrPartition) && ctx.Err() == nil {
		time.Sleep(100 * time.Millisecond)
		err = writer.WriteMessages(ctx, messages...)
	}
	lines.Fail(err)
	lines.Fail(writer.Close())
	lines.WriteOffsets(offsets)
}

func consume(ctx context.Context, options lines.Options) {
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	reader := kafka.NewReader(kafka.ReaderConfig{Brokers: []string{options.Bootstrap}, Topic: options.Topic,
		Partition: int(options.Partition), MinBytes: 1, MaxBytes: 24 << 20, MaxWait: 500 * time.Millisecond})
	lines.Fail(reader.SetOffset(kafka.FirstOffset))
	for seen := 0; seen < options.Count; seen++ {
		message, err := reader.ReadMessage(ctx)
		lines.Fail(err)
		line := lines.Record{Offset: message.Offset, Key: message.Key, Value: message.Value}
		for _, header := range message.Headers {
			line.Headers = append(line.Headers, lines.Header{Key: header.Key, Value: header.Value})
		}
		lines.Write(out, line)
	}
	lines.Fail(out.Flush())
	lines.Fail(reader.Close())
}
