package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/IBM/sarama"

	"dohle/compat-tests/clients/go/lines"
)

// groupMember is the handler of Sarama's sessions: a session is one generation of the group.
type groupMember struct {
	events *lines.Events
	group  sarama.ConsumerGroup
	mutex  sync.Mutex // one commit at a time, so that its errors are its own
}

func (m *groupMember) Setup(session sarama.ConsumerGroupSession) error {
	m.events.Owned("assigned", session.Claims())
	return nil
}

// Cleanup runs when all ConsumeClaim have returned, before the next join.
func (m *groupMember) Cleanup(session sarama.ConsumerGroupSession) error {
	m.events.Owned("revoked", session.Claims())
	return nil
}

// errorsOfCommit takes what Commit has left in the channel of errors; a rebalance under way refuses a commit.
func (m *groupMember) errorsOfCommit() bool {
	failed := false
	for {
		select {
		case <-m.group.Errors():
			failed = true
		default:
			return failed
		}
	}
}

// ConsumeClaim commits whenever it has caught up with what was fetched, and at its end.
func (m *groupMember) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	var last *sarama.ConsumerMessage
	defer func() {
		if last != nil {
			m.commit(session, last)
		}
	}()
	for {
		if last != nil && len(claim.Messages()) == 0 {
			m.commit(session, last)
			last = nil
		}
		select {
		case message, open := <-claim.Messages():
			if !open {
				return nil
			}
			m.events.Record(message.Topic, message.Partition, message.Offset)
			session.MarkMessage(message, "")
			last = message
		case <-session.Context().Done():
			return nil
		}
	}
}

func (m *groupMember) commit(session sarama.ConsumerGroupSession, message *sarama.ConsumerMessage) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.events.Flush()
	m.errorsOfCommit()
	session.Commit()
	if !m.errorsOfCommit() {
		m.events.Committed([][]any{{message.Topic, message.Partition, message.Offset + 1}})
	}
}

func member(options lines.Options) {
	config := sarama.NewConfig()
	config.Version = sarama.MaxVersion
	config.Consumer.Offsets.Initial = sarama.OffsetOldest
	config.Consumer.Offsets.AutoCommit.Enable = false
	config.Consumer.Group.Session.Timeout = 8 * time.Second
	config.Consumer.Group.Heartbeat.Interval = 500 * time.Millisecond
	config.Consumer.Group.Rebalance.GroupStrategies = []sarama.BalanceStrategy{sarama.NewBalanceStrategyRange()}
	config.Consumer.Return.Errors = true
	config.Metadata.RefreshFrequency = time.Second
	group, err := sarama.NewConsumerGroup([]string{options.Bootstrap}, options.Group, config)
	lines.Fail(err)
	m := &groupMember{events: lines.NewEvents(), group: group}
	stopped := lines.Stopped()
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-stopped
		cancel()
	}()
	for ctx.Err() == nil {
		err := group.Consume(ctx, []string{options.Topic}, m)
		if err != nil && !errors.Is(err, context.Canceled) && ctx.Err() == nil {
			lines.Fail(err)
		}
	}
	lines.Fail(group.Close())
	m.events.Closed()
}
