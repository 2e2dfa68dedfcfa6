// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.plugin.hostpath.HostPathNode;
import dev.mooring.storage.spi.Outcome;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecognitionTest {
    private static final Map<String, DiskIdentity> KNOWN = Map.of(
            "disk A", DiskIdentity.ofDevice("node-1", "wwid:a"),
            "disk B", DiskIdentity.ofDevice("node-1", "wwid:b"),
            "no name", DiskIdentity.ofUnknownDevice("node-1", "/dev/vdb"),
            "mount A", DiskIdentity.ofDirectory(true, "node-1", 2, "uuid:a"),
            "mount A'", DiskIdentity.ofDirectory(true, "node-1", 9, "uuid:a"),
            "mount B", DiskIdentity.ofDirectory(true, "node-1", 2, "uuid:b"),
            "dir A", DiskIdentity.ofDirectory(false, "node-1", 7, "uuid:a"),
            "dir A'", DiskIdentity.ofDirectory(false, "node-1", 8, "uuid:a"),
            "dir B", DiskIdentity.ofDirectory(false, "node-1", 7, "uuid:b"));

    @ParameterizedTest(name = "{0} was recorded and {1} is there: {2}")
    @CsvSource({
        "-, disk A, done",
        "-, mount A, done",
        "-, dir A, done",
        "mount, mount A, done",
        "mount, disk A, done",
        "mount, dir A, deferred",
        "garbage, disk A, CORRUPT",
        "disk A, disk A, done",
        "disk A, disk B, CORRUPT",
        "disk A, no name, CORRUPT",
        "disk A, mount A, CORRUPT",
        "disk A, dir A, CORRUPT",
        "no name, disk A, done",
        "no name, no name, done",
        "no name, dir A, CORRUPT",
        "mount A, mount A, done",
        "mount A, mount A', CORRUPT",
        "mount A, mount B, CORRUPT",
        "mount A, dir B, deferred",
        "mount A, dir A, deferred",
        "mount A, disk A, CORRUPT",
        "dir A, dir A, done",
        "dir A, dir A', CORRUPT",
        "dir A, dir B, deferred",
        "dir A, mount B, CORRUPT"
    })
    void judges(String recorded, String found, String answer) {
        Optional<String> note = recorded.equals("-")
                ? Optional.empty()
                : Optional.of(Optional.ofNullable(KNOWN.get(recorded))
                        .map(DiskIdentity::toString)
                        .orElse(recorded));

        Outcome<DiskIdentity> outcome = Recognition.judge(note, KNOWN.get(found), true);

        assertThat(HostPathNode.answer(outcome)).isEqualTo(answer);
        outcome.result().ifPresent(identity -> assertThat(identity).isEqualTo(KNOWN.get(found)));
    }

    /** The kind of a recorded or found device, as a note or an identity. */
    private static final Map<String, DiskIdentity> DEVICES = Map.of(
            "path", DiskIdentity.ofUnknownDevice("node-1", "/dev/vdb"),
            "path, X on it", DiskIdentity.ofUnknownDevice("node-1", "/dev/vdb").withContent("x"),
            "path, Y on it", DiskIdentity.ofUnknownDevice("node-1", "/dev/vdb").withContent("y"),
            "path, nothing on it",
                    DiskIdentity.ofUnknownDevice("node-1", "/dev/vdb").withContent(DiskIdentity.NO_CONTENT),
            "map", DiskIdentity.ofDevice("node-1", "dm:LVM-a"),
            "map, X on it", DiskIdentity.ofDevice("node-1", "dm:LVM-a").withContent("x"),
            "map, Y on it", DiskIdentity.ofDevice("node-1", "dm:LVM-a").withContent("y"));

    @ParameterizedTest(name = "{0} was recorded and {1} is there: {2}")
    @CsvSource({
        "path, path, done",
        "path, 'path, X on it', done",
        "'path, X on it', 'path, X on it', done",
        "'path, X on it', 'path, Y on it', CORRUPT",
        "'path, X on it', 'path, nothing on it', CORRUPT",
        "'path, X on it', path, done",
        "'path, X on it', 'map, X on it', done",
        "map, 'map, Y on it', done",
        "map, path, CORRUPT",
        "by X, 'path, X on it', done",
        "by X, 'map, X on it', done",
        "by X, 'map, Y on it', CORRUPT",
        "by X, 'path, nothing on it', CORRUPT",
        "by X, path, done"
    })
    @DisplayName("L5 what a device holds tells it only where nothing else does, and where it was looked for")
    void l05_judgesByContentOnlyWhereNothingElseTells(String recorded, String found, String answer) {
        String note = recorded.equals("by X")
                ? "kind=device;node=node-1;inode=;disk=uuid:x"
                : DEVICES.get(recorded).toString();

        assertThat(HostPathNode.answer(Recognition.judge(Optional.of(note), DEVICES.get(found), true)))
                .isEqualTo(answer);
    }

    @Test
    @DisplayName("L5 what a device holds is noted only where nothing else tells it")
    void l05_notesWhatADeviceHoldsOnlyWhereNothingElseTells() {
        assertThat(DEVICES.get("map, X on it")).hasToString(DEVICES.get("map").toString());
        assertThat(DEVICES.get("path, nothing on it"))
                .hasToString(DEVICES.get("path").toString());
        DiskIdentity told = DEVICES.get("path, X on it");
        assertThat(DiskIdentity.parse(told.toString())).contains(told);
        assertThat(told.key()).isEqualTo(DEVICES.get("path").key());
    }

    @Test
    @DisplayName("L15 on a node that was registered again only a disk that can be told from others is the volume's")
    void l15_trustsOnlyTheDiskAfterTheNodeWasRegisteredAnew() {
        String disk = KNOWN.get("disk A").toString();
        String nameless = KNOWN.get("no name").toString();

        assertThat(HostPathNode.answer(
                        Recognition.judge(Optional.of(disk), DiskIdentity.ofDevice("node-2", "wwid:a"), true)))
                .isEqualTo("done");
        assertThat(HostPathNode.answer(
                        Recognition.judge(Optional.of(disk), DiskIdentity.ofDevice("node-2", "wwid:b"), true)))
                .isEqualTo("CORRUPT");
        assertThat(HostPathNode.answer(Recognition.judge(
                        Optional.of(nameless), DiskIdentity.ofUnknownDevice("node-2", "/dev/vdb"), true)))
                .isEqualTo("DENIED");
        assertThat(HostPathNode.answer(
                        Recognition.judge(Optional.of(nameless), DiskIdentity.ofDevice("node-2", "wwid:a"), true)))
                .isEqualTo("DENIED");
    }

    @Test
    @DisplayName(
            "L15 on such a node what a device holds tells it too, if it was looked for; the name of a map need not be unique")
    void l15_trustsWhatItHoldsAfterTheNodeWasRegisteredAnew() {
        DiskIdentity path = DiskIdentity.ofUnknownDevice("node-2", "/dev/vdb");
        String recorded = DEVICES.get("path, X on it").toString();

        assertThat(HostPathNode.answer(Recognition.judge(Optional.of(recorded), path.withContent("x"), true)))
                .isEqualTo("done");
        assertThat(HostPathNode.answer(Recognition.judge(Optional.of(recorded), path, true)))
                .isEqualTo("DENIED");
        assertThat(DiskIdentity.ofDevice("node-1", "dm:LVM-a").isUnique()).isTrue();
        assertThat(DiskIdentity.ofDevice("node-1", "dm:CRYPT-PLAIN-disk").isUnique())
                .isFalse();
    }

    @Test
    void notesAreReadAgain() {
        for (DiskIdentity identity : KNOWN.values()) {
            assertThat(DiskIdentity.parse(identity.toString())).contains(identity);
        }
        DiskIdentity odd = DiskIdentity.ofDevice("n", "file:/a;b \"c\"\n=d");
        assertThat(DiskIdentity.parse(odd.toString())).contains(odd);
        assertThat(DiskIdentity.parse("kind=other;node=;inode=;disk=x")).isEmpty();
        assertThat(DiskIdentity.parse("")).isEmpty();
    }
}
