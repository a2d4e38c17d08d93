// The client driver and the group member (README.md) over Sarama.
package main

import (
	"bufio"
	"os"
	"time"

	"github.com/IBM/sarama"

	"dohle/compat-tests/clients/go/lines"
)

var codecs = map[string]sarama.CompressionCodec{
	"none":   sarama.CompressionNone,
	"gzip":   sarama.CompressionGZIP,
	"snappy": sarama.CompressionSnappy,
	"lz4":    sarama.CompressionLZ4,
	"zstd":   sarama.CompressionZSTD,
}

func main() {
	options := lines.Arguments()
	switch options.Mode {
	case "produce":
		produce(options)
	case "consume":
		consume(options)
	default:
		member(options)
	}
}

func encoder(data []byte) sarama.Encoder {
	if data == nil {
		return nil
	}
	return sarama.ByteEncoder(data)
}

func produce(options lines.Options) {
	config := sarama.NewConfig()
	config.Version = sarama.MaxVersion
	config.Producer.RequiredAcks = sarama.WaitForAll
	config.Producer.Idempotent = true
	config.Net.MaxOpenRequests = 1
	config.Producer.Compression = codecs[options.Codec]
	config.Producer.Partitioner = sarama.NewManualPartitioner
	config.Producer.Return.Successes = true
	config.Producer.MaxMessageBytes = 12 << 20
	config.Producer.Flush.Frequency = 50 * time.Millisecond
	producer, err := sarama.NewAsyncProducer([]string{options.Bootstrap}, config)
	lines.Fail(err)
	records := lines.Read()
	go func() {
		for index, each := range records {
			message := &sarama.ProducerMessage{Topic: options.Topic, Partition: options.Partition, Key: encoder(each.Key),
				Value: encoder(each.Value), Metadata: index}
			for _, header := range each.Headers {
				message.Headers = append(message.Headers, sarama.RecordHeader{Key: []byte(header.Key), Value: header.Value})
			}
			producer.Input() <- message
		}
	}()
	offsets := make([]int64, len(records))
	for range records {
		select {
		case done := <-producer.Successes():
			offsets[done.Metadata.(int)] = done.Offset
		case failed := <-producer.Errors():
			lines.Fail(failed)
		}
	}
	lines.Fail(producer.Close())
	lines.WriteOffsets(offsets)
}

func consume(options lines.Options) {
	config := sarama.NewConfig()
	config.Version = sarama.MaxVersion
	config.Consumer.Fetch.Default = 12 << 20
	config.Consumer.Return.Errors = true
	consumer, err := sarama.NewConsumer([]string{options.Bootstrap}, config)
	lines.Fail(err)
	partition, err := consumer.ConsumePartition(options.Topic, options.Partition, sarama.OffsetOldest)
	lines.Fail(err)
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	deadline := time.After(60 * time.Second)
	for seen := 0; seen < options.Count; {
		select {
		case message := <-partition.Messages():
			line := lines.Record{Offset: message.Offset, Key: message.Key, Value: message.Value}
			for _, header := range message.Headers {
				line.Headers = append(line.Headers, lines.Header{Key: string(header.Key), Value: header.Value})
			}
			lines.Write(out, line)
			seen++
		case failed := <-partition.Errors():
			lines.Fail(failed)
		case <-deadline:
			seen = options.Count
		}
	}
	lines.Fail(out.Flush())
	lines.Fail(consumer.Close())
}
