"""kafka-configs on topics, brokers, the cluster's default and groups; what it changes is live at once and after a restart."""

from harness import batches, raw

SUITE = "configs"

MESSAGE_TOO_LARGE = 10
SMALL = batches.batch([batches.record(0, b"k", b"v")])
LARGE = batches.batch([batches.record(0, b"k", b"x" * 1000)])


def configure(tools, server, *arguments):
    return tools("kafka-configs", "--bootstrap-server", server.bootstrap, *arguments).must_succeed().out


def test_a_topics_config_is_live(server, tools, topic):
    with raw.connected(server.port) as connection:
        connection.create_topic(topic)
        assert connection.produce(topic, LARGE)[0] == 0
        assert "Completed updating config for topic" in configure(
            tools, server, "--alter", "--entity-type", "topics", "--entity-name", topic, "--add-config", "max.message.bytes=200,retention.ms=-1")
        assert raw.eventually(lambda: connection.produce(topic, LARGE)[0] == MESSAGE_TOO_LARGE)
        assert connection.produce(topic, SMALL)[0] == 0
    shown = configure(tools, server, "--describe", "--entity-type", "topics", "--entity-name", topic)
    assert "max.message.bytes=200 sensitive=false" in shown and "DYNAMIC_TOPIC_CONFIG:max.message.bytes=200" in shown
    server.restart()
    with raw.connected(server.port) as connection:
        assert raw.eventually(lambda: connection.produce(topic, LARGE)[0] == MESSAGE_TOO_LARGE)
        configure(tools, server, "--alter", "--entity-type", "topics", "--entity-name", topic, "--delete-config", "max.message.bytes")
        assert raw.eventually(lambda: connection.produce(topic, LARGE)[0] == 0)


def test_the_clusters_default_and_one_brokers_config_are_live(server, tools, topic):
    with raw.connected(server.port) as connection:
        connection.create_topic(topic)
        configure(tools, server, "--alter", "--entity-type", "brokers", "--entity-default", "--add-config", "message.max.bytes=200")
        assert raw.eventually(lambda: connection.produce(topic, LARGE)[0] == MESSAGE_TOO_LARGE)
        configure(tools, server, "--alter", "--entity-type", "brokers", "--entity-name", "1", "--add-config", "message.max.bytes=5000")
        assert raw.eventually(lambda: connection.produce(topic, LARGE)[0] == 0)
        configure(tools, server, "--alter", "--entity-type", "brokers", "--entity-name", "1", "--delete-config", "message.max.bytes")
        assert raw.eventually(lambda: connection.produce(topic, LARGE)[0] == MESSAGE_TOO_LARGE)
    assert "message.max.bytes=200" in configure(tools, server, "--describe", "--entity-type", "brokers", "--entity-default")


def test_a_groups_config_is_kept(server, tools):
    group = ("--alter", "--entity-type", "groups", "--entity-name", "some-group")
    configure(tools, server, *group, "--add-config", "consumer.session.timeout.ms=50000")
    server.restart()
    configure(tools, server, *group, "--delete-config", "consumer.session.timeout.ms")
    refused = tools("kafka-configs", "--bootstrap-server", server.bootstrap, *group, "--add-config", "consumer.session.timeout.ms=1")
    assert "must be in the range" in refused.out + refused.err


def test_a_change_that_is_refused_changes_nothing(server, tools, topic):
    with raw.connected(server.port) as connection:
        connection.create_topic(topic)
    done = tools("kafka-configs", "--bootstrap-server", server.bootstrap, "--alter", "--entity-type", "topics", "--entity-name", topic,
                 "--add-config", "retention.ms=never")
    assert "InvalidConfigurationException" in done.out + done.err
    assert "retention.ms" not in configure(tools, server, "--describe", "--entity-type", "topics", "--entity-name", topic)
