// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.machine;

import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.testkit.host.PlainCall;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A call with a time limit, which keeps what it was told. */
public record RecordingCall(HostServices host, Instant deadline, InstantSource clock, List<String> news)
        implements PlainCall {
    /** A call that has a minute. */
    public static RecordingCall of(HostServices host) {
        return new RecordingCall(
                host, Instant.now().plus(Duration.ofMinutes(1)), Clock.systemUTC(), new CopyOnWriteArrayList<>());
    }

    /** A call that has little time left, however long it takes to begin. */
    public RecordingCall hurried() {
        Instant now = clock.instant();
        return new RecordingCall(host, now.plus(Duration.ofMillis(200)), InstantSource.fixed(now), news);
    }

    /** The same with other services. */
    public RecordingCall with(HostServices other) {
        return new RecordingCall(other, deadline, clock, news);
    }

    @Override
    public Optional<NodeRef> node() {
        return Optional.of(new NodeRef("node-1", "node-uid-1"));
    }

    @Override
    public void report(Notice notice) {
        news.add(notice.toString());
    }
}
