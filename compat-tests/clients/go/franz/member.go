package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"dohle/compat-tests/clients/go/lines"
)

type position struct {
	topic     string
	partition int32
}

type groupMember struct {
	events    *lines.Events
	processed map[position]kgo.EpochOffset
}

// A rebalance under way refuses the commit; what was processed is committed later, or processed again.
func refused(err error) bool {
	for _, each := range []error{kerr.RebalanceInProgress, kerr.IllegalGeneration, kerr.UnknownMemberID, kerr.StaleMemberEpoch} {
		if errors.Is(err, each) {
			return true
		}
	}
	return false
}

// commit tells the server what was processed of `partitions` (nil: of all).
func (m *groupMember) commit(ctx context.Context, client *kgo.Client, partitions map[string][]int32) {
	m.events.Flush()
	offsets := map[string]map[int32]kgo.EpochOffset{}
	add := func(at position) {
		offset, processed := m.processed[at]
		if !processed {
			return
		}
		if offsets[at.topic] == nil {
			offsets[at.topic] = map[int32]kgo.EpochOffset{}
		}
		offsets[at.topic][at.partition] = offset
	}
	if partitions == nil {
		for at := range m.processed {
			add(at)
		}
	}
	for topic, numbers := range partitions {
		for _, partition := range numbers {
			add(position{topic, partition})
		}
	}
	if len(offsets) == 0 {
		return
	}
	taken := [][]any{}
	var failure error
	client.CommitOffsetsSync(ctx, offsets, func(_ *kgo.Client, _ *kmsg.OffsetCommitRequest, response *kmsg.OffsetCommitResponse, err error) {
		failure = err
		if err != nil {
			return
		}
		for _, topic := range response.Topics {
			for _, each := range topic.Partitions {
				if err := kerr.ErrorForCode(each.ErrorCode); err != nil {
					failure = err
					continue
				}
				taken = append(taken, []any{topic.Topic, each.Partition, offsets[topic.Topic][each.Partition].Offset})
			}
		}
	})
	if failure != nil && !refused(failure) && !errors.Is(failure, context.Canceled) {
		lines.Fail(failure)
	}
	if len(taken) > 0 {
		m.events.Committed(taken)
	}
}

func (m *groupMember) giveUp(event string, partitions map[string][]int32) {
	m.events.Owned(event, partitions)
	for topic, numbers := range partitions {
		for _, partition := range numbers {
			delete(m.processed, position{topic, partition})
		}
	}
}

func (m *groupMember) groupOptions(options lines.Options) []kgo.Opt {
	chosen := []kgo.Opt{
		kgo.SeedBrokers(options.Bootstrap), kgo.ConsumerGroup(options.Group), kgo.ConsumeTopics(options.Topic),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()), kgo.DisableAutoCommit(), kgo.BlockRebalanceOnPoll(),
		kgo.MetadataMinAge(100 * time.Millisecond), kgo.MetadataMaxAge(time.Second),
		kgo.OnPartitionsAssigned(func(_ context.Context, _ *kgo.Client, partitions map[string][]int32) {
			m.events.Owned("assigned", partitions)
		}),
		kgo.OnPartitionsRevoked(func(ctx context.Context, client *kgo.Client, partitions map[string][]int32) {
			m.commit(ctx, client, partitions)
			m.giveUp("revoked", partitions)
		}),
		kgo.OnPartitionsLost(func(_ context.Context, _ *kgo.Client, partitions map[string][]int32) {
			m.giveUp("lost", partitions)
		}),
	}
	if strings.HasPrefix(options.Topic, "^") {
		chosen = append(chosen, kgo.ConsumeRegex())
	}
	if options.Protocol == "consumer" {
		return append(chosen, kgo.ServerSideBalancer(), kgo.Balancers(kgo.StickyBalancer()))
	}
	balancer := kgo.RangeBalancer()
	if options.Assignor == "cooperative" {
		balancer = kgo.CooperativeStickyBalancer()
	}
	return append(chosen, kgo.Balancers(balancer), kgo.SessionTimeout(8*time.Second), kgo.HeartbeatInterval(500*time.Millisecond))
}

func member(options lines.Options) {
	m := &groupMember{lines.NewEvents(), map[position]kgo.EpochOffset{}}
	stopped := lines.Stopped()
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-stopped
		cancel()
	}()
	client, err := kgo.NewClient(m.groupOptions(options)...)
	lines.Fail(err)
	for ctx.Err() == nil {
		fetches := client.PollRecords(ctx, 500)
		fetches.EachRecord(func(record *kgo.Record) {
			m.events.Record(record.Topic, record.Partition, record.Offset)
			m.processed[position{record.Topic, record.Partition}] = kgo.EpochOffset{Epoch: record.LeaderEpoch, Offset: record.Offset + 1}
		})
		if fetches.NumRecords() > 0 {
			m.commit(context.Background(), client, nil)
		}
		client.AllowRebalance()
	}
	client.CloseAllowingRebalance()
	m.events.Closed()
}
