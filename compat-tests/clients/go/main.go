// The client driver (README.md, "Client drivers") over franz-go.
package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

type line struct {
	Offset  int64       `json:"offset"`
	Key     *string     `json:"key"`
	Value   *string     `json:"value"`
	Headers [][]*string `json:"headers"`
}

var codecs = map[string]kgo.CompressionCodec{
	"none":   kgo.NoCompression(),
	"gzip":   kgo.GzipCompression(),
	"snappy": kgo.SnappyCompression(),
	"lz4":    kgo.Lz4Compression(),
	"zstd":   kgo.ZstdCompression(),
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func toBytes(text *string) []byte {
	if text == nil {
		return nil
	}
	data, err := base64.StdEncoding.DecodeString(*text)
	fail(err)
	return data
}

func toText(data []byte) *string {
	if data == nil {
		return nil
	}
	text := base64.StdEncoding.EncodeToString(data)
	return &text
}

func main() {
	mode := os.Args[1]
	flags := flag.NewFlagSet("client", flag.ExitOnError)
	bootstrap := flags.String("bootstrap", "", "address of the server")
	topic := flags.String("topic", "", "topic")
	partition := flags.Int("partition", 0, "partition")
	codec := flags.String("codec", "none", "compression of the producer")
	count := flags.Int("count", 0, "records to consume")
	fail(flags.Parse(os.Args[2:]))
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	defer out.Flush()
	if mode == "produce" {
		produce(ctx, out, *bootstrap, *topic, int32(*partition), *codec)
	} else {
		consume(ctx, out, *bootstrap, *topic, int32(*partition), *count)
	}
}

func produce(ctx context.Context, out io.Writer, bootstrap, topic string, partition int32, codec string) {
	client, err := kgo.NewClient(kgo.SeedBrokers(bootstrap), kgo.AllowAutoTopicCreation(), kgo.ProducerBatchCompression(codecs[codec]),
		kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.ProducerBatchMaxBytes(12<<20), kgo.ProducerLinger(50*time.Millisecond))
	fail(err)
	defer client.Close()
	var records []*kgo.Record
	in := json.NewDecoder(bufio.NewReaderSize(os.Stdin, 1<<20))
	for {
		var l line
		err := in.Decode(&l)
		if err == io.EOF {
			break
		}
		fail(err)
		record := &kgo.Record{Topic: topic, Partition: partition, Key: toBytes(l.Key), Value: toBytes(l.Value)}
		for _, header := range l.Headers {
			record.Headers = append(record.Headers, kgo.RecordHeader{Key: *header[0], Value: toBytes(header[1])})
		}
		records = append(records, record)
	}
	results := client.ProduceSync(ctx, records...)
	fail(results.FirstErr())
	offsets := make([]int64, len(records))
	for i, record := range records {
		offsets[i] = record.Offset
	}
	text, err := json.Marshal(map[string][]int64{"offsets": offsets})
	fail(err)
	fmt.Fprintln(out, string(text))
}

func consume(ctx context.Context, out io.Writer, bootstrap, topic string, partition int32, count int) {
	client, err := kgo.NewClient(kgo.SeedBrokers(bootstrap), kgo.FetchMaxPartitionBytes(12<<20),
		kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{topic: {partition: kgo.NewOffset().AtStart()}}))
	fail(err)
	defer client.Close()
	for seen := 0; seen < count; {
		fetches := client.PollFetches(ctx)
		for _, failure := range fetches.Errors() {
			fail(failure.Err)
		}
		fetches.EachRecord(func(record *kgo.Record) {
			l := line{record.Offset, toText(record.Key), toText(record.Value), [][]*string{}}
			for _, header := range record.Headers {
				key := header.Key
				l.Headers = append(l.Headers, []*string{&key, toText(header.Value)})
			}
			text, err := json.Marshal(l)
			fail(err)
			fmt.Fprintln(out, string(text))
			seen++
		})
	}
}
