// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.VolumeId;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordLogTest {
    private static Publish entry(String uid, RecordPhase phase) {
        return RecordEntryPublishBuilder.builder()
                .pod(new PodRef("ns", "pod", uid))
                .podVolume("data")
                .volume("pv1")
                .volumeId(new VolumeId(new PluginName("example.com/fake"), "/data"))
                .state(PluginState.NONE)
                .target(Path.of("/root/pods").resolve(uid))
                .phase(phase)
                .bootId("boot")
                .build();
    }

    @Test
    void replaysInTheOrderOfAppending() {
        RecordLog log = new MemoryRecordLog();
        log.append(entry("b", RecordPhase.INTENT));
        log.append(entry("a", RecordPhase.INTENT));
        log.append(entry("b", RecordPhase.DONE));

        assertThat(log.replay())
                .containsExactly(
                        entry("b", RecordPhase.INTENT), entry("a", RecordPhase.INTENT), entry("b", RecordPhase.DONE));
    }

    @Test
    void theLatestEntryOfAKeyStandsUntilItIsGone() {
        List<Publish> entries = List.of(
                entry("a", RecordPhase.INTENT),
                entry("b", RecordPhase.INTENT),
                entry("a", RecordPhase.DONE),
                entry("b", RecordPhase.GONE));

        assertThat(RecordLog.standing(entries).values()).containsExactly(entry("a", RecordPhase.DONE));
    }

    @Test
    void aKeyMayComeBack() {
        List<Publish> entries =
                List.of(entry("a", RecordPhase.DONE), entry("a", RecordPhase.GONE), entry("a", RecordPhase.INTENT));

        assertThat(RecordLog.standing(entries).values()).containsExactly(entry("a", RecordPhase.INTENT));
    }

    @Test
    void aRecordCallAppends() {
        MemoryRecordLog log = new MemoryRecordLog();
        RecordCall call = new RecordCall("n1", entry("a", RecordPhase.INTENT));

        assertThat(call.appendTo(log).isDone()).isTrue();

        assertThat(log.replay()).containsExactly(entry("a", RecordPhase.INTENT));
        assertThat(call.volume()).isEqualTo("pv1");
        assertThat(call.bulkhead()).isNotEqualTo(call.plugin().value());
    }
}
