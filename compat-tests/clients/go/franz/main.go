// The client driver and the group member (README.md) over franz-go.
package main

import (
	"bufio"
	"context"
	"os"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"dohle/compat-tests/clients/go/lines"
)

var codecs = map[string]kgo.CompressionCodec{
	"none":   kgo.NoCompression(),
	"gzip":   kgo.GzipCompression(),
	"snappy": kgo.SnappyCompression(),
	"lz4":    kgo.Lz4Compression(),
	"zstd":   kgo.ZstdCompression(),
}

func main() {
	options := lines.Arguments()
	if options.Mode == "member" {
		member(options)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	if options.Mode == "produce" {
		produce(ctx, options)
	} else {
		consume(ctx, options)
	}
}

func produce(ctx context.Context, options lines.Options) {
	client, err := kgo.NewClient(kgo.SeedBrokers(options.Bootstrap), kgo.AllowAutoTopicCreation(),
		kgo.ProducerBatchCompression(codecs[options.Codec]), kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.ProducerBatchMaxBytes(12<<20), kgo.ProducerLinger(50*time.Millisecond))
	lines.Fail(err)
	defer client.Close()
	var records []*kgo.Record
	for _, each := range lines.Read() {
		record := &kgo.Record{Topic: options.Topic, Partition: options.Partition, Key: each.Key, Value: each.Value}
		for _, header := range each.Headers {
			record.Headers = append(record.Headers, kgo.RecordHeader{Key: header.Key, Value: header.Value})
		}
		records = append(records, record)
	}
	lines.Fail(client.ProduceSync(ctx, records...).FirstErr())
	offsets := make([]int64, len(records))
	for i, record := range records {
		offsets[i] = record.Offset
	}
	lines.WriteOffsets(offsets)
}

func consume(ctx context.Context, options lines.Options) {
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	defer out.Flush()
	start := map[string]map[int32]kgo.Offset{options.Topic: {options.Partition: kgo.NewOffset().AtStart()}}
	client, err := kgo.NewClient(kgo.SeedBrokers(options.Bootstrap), kgo.FetchMaxPartitionBytes(12<<20), kgo.ConsumePartitions(start))
	lines.Fail(err)
	defer client.Close()
	for seen := 0; seen < options.Count; {
		fetches := client.PollFetches(ctx)
		for _, failure := range fetches.Errors() {
			lines.Fail(failure.Err)
		}
		fetches.EachRecord(func(record *kgo.Record) {
			line := lines.Record{Offset: record.Offset, Key: record.Key, Value: record.Value}
			for _, header := range record.Headers {
				line.Headers = append(line.Headers, lines.Header{Key: header.Key, Value: header.Value})
			}
			lines.Write(out, line)
			seen++
		})
	}
}
