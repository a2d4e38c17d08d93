"""A group member over confluent-kafka (librdkafka)."""

import confluent_kafka
import member

ASSIGNORS = {"range": "range", "cooperative": "cooperative-sticky"}
# A rebalance under way refuses the commit; what was processed is committed later, or processed again.
REFUSED = {
    confluent_kafka.KafkaError.REBALANCE_IN_PROGRESS,
    confluent_kafka.KafkaError.ILLEGAL_GENERATION,
    confluent_kafka.KafkaError.UNKNOWN_MEMBER_ID,
    confluent_kafka.KafkaError.STALE_MEMBER_EPOCH,
    confluent_kafka.KafkaError._NO_OFFSET,
}


class Member:
    def __init__(self, options):
        self.log = member.Log()
        self.processed = {}
        config = {
            "bootstrap.servers": options.bootstrap,
            "group.id": options.group,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
            "topic.metadata.refresh.interval.ms": 1000,
            "group.protocol": options.protocol,
        }
        if options.protocol == "classic":
            config["session.timeout.ms"] = 8000
            config["heartbeat.interval.ms"] = 500
            config["partition.assignment.strategy"] = ASSIGNORS[options.assignor]
        self.consumer = confluent_kafka.Consumer(config)
        self.consumer.subscribe([options.topic], on_assign=self.assigned, on_revoke=self.revoked, on_lost=self.lost)

    def commit(self, partitions):
        self.log.flush()
        positions = [(*at, self.processed[at]) for at in partitions if at in self.processed]
        if not positions:
            return
        try:
            done = self.consumer.commit(offsets=[confluent_kafka.TopicPartition(*each) for each in positions], asynchronous=False)
        except confluent_kafka.KafkaException as failure:
            if failure.args[0].code() not in REFUSED:
                raise
            return
        for each in done:
            if each.error is not None and each.error.code() not in REFUSED:
                raise confluent_kafka.KafkaException(each.error)
        self.log.committed([(each.topic, each.partition, each.offset) for each in done if each.error is None])

    def assigned(self, _, partitions):
        self.log.owned("assigned", [(each.topic, each.partition) for each in partitions])

    def revoked(self, _, partitions):
        self.give_up("revoked", partitions, commit=True)

    def lost(self, _, partitions):
        self.give_up("lost", partitions, commit=False)

    def give_up(self, event, partitions, commit):
        gone = [(each.topic, each.partition) for each in partitions]
        if commit:
            self.commit(gone)
        self.log.owned(event, gone)
        for each in gone:
            self.processed.pop(each, None)

    def run(self, stopped):
        while not stopped:
            messages = self.consumer.consume(500, timeout=0.2)
            for message in messages:
                if message.error():
                    # A pattern's topic that was not there yet, and the like, are no end.
                    if message.error().fatal():
                        raise confluent_kafka.KafkaException(message.error())
                    continue
                at = (message.topic(), message.partition())
                self.log.record(*at, message.offset())
                self.processed[at] = message.offset() + 1
            if messages:
                self.commit(list(self.processed))
        self.consumer.close()
        self.log.closed()


if __name__ == "__main__":
    flag = member.stop_flag()
    Member(member.arguments()).run(flag)
