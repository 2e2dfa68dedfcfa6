// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.SecretValue;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.VolumeNotes;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.testkit.host.PlainCall;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A call as a node makes it: what was remembered survives it, notes are the volume object's.
 *
 * @param host the machine
 * @param self the node
 * @param clock the time
 * @param record the host's record of the call
 * @param notes the volume's annotations
 * @param said what people were told
 * @param secret the data of the one secret there is, {@code ns/chap}
 * @param attempt how often the call was started
 * @param deadline when the host gives up
 */
record InitiatorCall(
        HostServices host,
        NodeRef self,
        InstantSource clock,
        AtomicReference<PluginState> record,
        VolumeNotes notes,
        List<String> said,
        Map<String, String> secret,
        int attempt,
        Instant deadline)
        implements PlainCall {

    static InitiatorCall of(
            HostServices host,
            NodeRef self,
            InstantSource clock,
            AtomicReference<PluginState> record,
            VolumeNotes notes,
            List<String> said,
            Map<String, String> secret) {
        return new InitiatorCall(
                host,
                self,
                clock,
                record,
                notes,
                said,
                secret,
                1,
                clock.instant().plus(Duration.ofMinutes(2)));
    }

    @Override
    public Optional<NodeRef> node() {
        return Optional.of(self);
    }

    @Override
    public Secrets secrets() {
        return key -> Optional.of(secret)
                .filter(there -> key.equals(ObjectKey.of("ns", "chap")))
                .map(SecretValue::all);
    }

    @Override
    public void report(Notice notice) {
        said.add(notice.toString());
    }

    @Override
    public Outcome<Nothing> remember(PluginState state) {
        record.set(state);
        return Outcome.done();
    }

    @Override
    public PluginState remembered() {
        return record.get();
    }
}
