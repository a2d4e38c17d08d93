// Package lines is what the Go drivers and group members share: records and events as lines of JSON (README.md).
package lines

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"unsafe"
)

// Header has a null value where Value is nil.
type Header struct {
	Key   string
	Value []byte
}

// Record has a null key or value where that is nil.
type Record struct {
	Offset     int64
	Key, Value []byte
	Headers    []Header
}

type line struct {
	Offset  int64       `json:"offset"`
	Key     *string     `json:"key"`
	Value   *string     `json:"value"`
	Headers [][]*string `json:"headers"`
}

// Options are the arguments of drivers and members.
type Options struct {
	Mode, Bootstrap, Topic, Codec string
	Group, Protocol, Assignor     string
	Partition                     int32
	Count                         int
}

// Fail ends the program with the error, if it is one.
func Fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Arguments reads the command line; its first word is the mode: produce, consume or member.
func Arguments() Options {
	var o Options
	o.Mode = os.Args[1]
	flags := flag.NewFlagSet("client", flag.ExitOnError)
	flags.StringVar(&o.Bootstrap, "bootstrap", "", "address of the server")
	flags.StringVar(&o.Topic, "topic", "", "topic, or a pattern that begins with ^")
	flags.StringVar(&o.Codec, "codec", "none", "compression of the producer")
	flags.StringVar(&o.Group, "group", "", "group of the member")
	flags.StringVar(&o.Protocol, "protocol", "classic", "protocol of the group")
	flags.StringVar(&o.Assignor, "assignor", "range", "assignor of the member")
	partition := flags.Int("partition", 0, "partition")
	flags.IntVar(&o.Count, "count", 0, "records to consume")
	Fail(flags.Parse(os.Args[2:]))
	o.Partition = int32(*partition)
	return o
}

func toBytes(text *string) []byte {
	if text == nil {
		return nil
	}
	data, err := base64.StdEncoding.DecodeString(*text)
	Fail(err)
	if data == nil {
		data = []byte{}
	}
	return data
}

func toText(data []byte) *string {
	if data == nil {
		return nil
	}
	text := base64.StdEncoding.EncodeToString(data)
	return &text
}

// Read gives all records of the standard input.
func Read() []Record {
	var records []Record
	in := json.NewDecoder(bufio.NewReaderSize(os.Stdin, 1<<20))
	for {
		var l line
		err := in.Decode(&l)
		if err == io.EOF {
			return records
		}
		Fail(err)
		record := Record{Key: toBytes(l.Key), Value: toBytes(l.Value)}
		for _, header := range l.Headers {
			record.Headers = append(record.Headers, Header{*header[0], toBytes(header[1])})
		}
		records = append(records, record)
	}
}

// Write prints a consumed record.
func Write(out io.Writer, record Record) {
	l := line{record.Offset, toText(record.Key), toText(record.Value), [][]*string{}}
	for _, header := range record.Headers {
		key := header.Key
		l.Headers = append(l.Headers, []*string{&key, toText(header.Value)})
	}
	text, err := json.Marshal(l)
	Fail(err)
	fmt.Fprintln(out, string(text))
}

// WriteOffsets prints what the producer was told.
func WriteOffsets(offsets []int64) {
	text, err := json.Marshal(map[string][]int64{"offsets": offsets})
	Fail(err)
	fmt.Println(string(text))
}

// Events is the log of a group member. Its times are those of the machine's monotonic clock, as in every language.
type Events struct {
	mutex sync.Mutex
	out   *bufio.Writer
}

// NewEvents logs to the standard output.
func NewEvents() *Events { return &Events{out: bufio.NewWriterSize(os.Stdout, 1<<16)} }

func monotonicNanoseconds() int64 {
	var now syscall.Timespec
	const clockMonotonic = 1
	_, _, failure := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clockMonotonic, uintptr(unsafe.Pointer(&now)), 0)
	if failure != 0 {
		Fail(failure)
	}
	return now.Nano()
}

func (e *Events) write(event, field string, rest any) {
	text, err := json.Marshal(rest)
	Fail(err)
	e.mutex.Lock()
	defer e.mutex.Unlock()
	fmt.Fprintf(e.out, "{\"t\": %d, \"event\": %q, %q: %s}\n", monotonicNanoseconds(), event, field, text)
	if event != "record" {
		Fail(e.out.Flush())
	}
}

// Record logs a processed record.
func (e *Events) Record(topic string, partition int32, offset int64) {
	e.write("record", "at", []any{topic, partition, offset})
}

// Owned logs assigned, revoked or lost.
func (e *Events) Owned(event string, partitions map[string][]int32) {
	pairs := []any{}
	for topic, numbers := range partitions {
		for _, partition := range numbers {
			pairs = append(pairs, []any{topic, partition})
		}
	}
	e.write(event, "partitions", pairs)
}

// Committed logs {topic, partition, next offset} triples that the server has taken.
func (e *Events) Committed(offsets [][]any) { e.write("committed", "offsets", offsets) }

// Closed logs the end.
func (e *Events) Closed() { e.write("closed", "at", []any{}) }

// Flush is called before the server is told what was processed.
func (e *Events) Flush() {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	Fail(e.out.Flush())
}

// Stopped is closed by SIGTERM.
func Stopped() <-chan struct{} {
	signals, stopped := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, syscall.SIGTERM)
	go func() {
		<-signals
		close(stopped)
	}()
	return stopped
}
