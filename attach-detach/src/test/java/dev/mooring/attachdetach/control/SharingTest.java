// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which nodes may have a volume at once (semantics/attach-and-mount §1.8). */
class SharingTest {
    @ParameterizedTest(name = "{0} [{1}] exclusive {2}: {3}")
    @CsvSource({
        "csi,READ_WRITE_ONCE,false,SINGLE_NODE",
        "csi,READ_WRITE_ONCE_POD,false,SINGLE_NODE",
        "csi,READ_WRITE_ONCE READ_WRITE_ONCE_POD,false,SINGLE_NODE",
        "csi,READ_WRITE_ONCE READ_WRITE_MANY,false,ANY",
        "csi,READ_ONLY_MANY,false,ANY",
        "csi,READ_WRITE_ONCE READ_ONLY_MANY,false,ANY",
        "csi,'',false,ANY",
        "iscsi,READ_WRITE_ONCE,true,SINGLE_NODE",
        "iscsi,READ_WRITE_MANY,true,READERS",
        "iscsi,READ_ONLY_MANY,true,READERS",
        "iscsi,'',true,READERS",
    })
    void theAccessModesDecide(String type, String modes, boolean exclusive, Sharing sharing) {
        assertThat(Sharing.of(spec(type, modes, "uid"), exclusive)).isEqualTo(sharing);
    }

    @ParameterizedTest(name = "inline {0} exclusive {1}: {2}")
    @CsvSource({"azureDisk,false,SINGLE_NODE", "cinder,false,SINGLE_NODE", "other,false,ANY", "iscsi,true,READERS"})
    void anInlineVolumeHasNoModes(String type, boolean exclusive, Sharing sharing) {
        assertThat(Sharing.of(spec(type, "", ""), exclusive)).isEqualTo(sharing);
    }

    @ParameterizedTest(name = "{0} {1} and {2} {3}: conflict {4}")
    @CsvSource({
        "SINGLE_NODE,true,SINGLE_NODE,true,true",
        "SINGLE_NODE,false,ANY,true,true",
        "READERS,true,READERS,true,false",
        "READERS,false,READERS,true,true",
        "READERS,true,ANY,false,true",
        "ANY,false,ANY,false,false",
    })
    void theStricterRuleOfTwoNodesHolds(
            Sharing one, boolean reads, Sharing other, boolean otherReads, boolean conflict) {
        Sharing.Use first = new Sharing.Use(one, reads);
        Sharing.Use second = new Sharing.Use(other, otherReads);
        assertThat(first.conflictsWith(second)).isEqualTo(conflict);
        assertThat(second.conflictsWith(first)).isEqualTo(conflict);
    }

    private static VolumeSpec spec(String type, String modes, String uid) {
        List<AccessMode> list = modes.isEmpty()
                ? List.of()
                : Arrays.stream(modes.split(" ")).map(AccessMode::valueOf).toList();
        VolumeSource source = new VolumeSource(type, Document.empty());
        return new VolumeSpec("v", uid, source, list, VolumeMode.FILESYSTEM, Quantity.ZERO, List.of(), Map.of());
    }
}
