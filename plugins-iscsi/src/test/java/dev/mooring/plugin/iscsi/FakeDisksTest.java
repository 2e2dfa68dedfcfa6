// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import static dev.mooring.plugin.iscsi.IscsiMachine.answer;
import static dev.mooring.plugin.iscsi.IscsiMachine.value;
import static dev.mooring.plugin.iscsi.Volumes.IQN;
import static dev.mooring.plugin.iscsi.Volumes.PORTAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Reconstructing.Adopted;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.FormatPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The disk of a unit: which it is, when it may go, how large it is. */
class FakeDisksTest extends FakeStaging {
    @Test
    void i10_aDiskInUseIsNotTakenAway() {
        VolumeSpec volume = Volumes.block(Volumes.source(IQN, 0).toSource());
        PluginState state = value(node.stage(volume));
        node.world.users.put("sda", "process 7");

        Outcome<?> outcome = node.unstage(volume, state);
        assertThat(answer(outcome)).isEqualTo("IN_USE");
        assertThat(outcome.message()).contains("process 7");
        assertThat(node.world.disks).hasSize(1);
        assertThat(node.world.sessions).hasSize(1);
        node.world.users.clear();
        assertThat(answer(node.unstage(volume, state))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i11_whereTheUnmountFailsNothingElseIsDone() {
        PluginState state = value(node.stage(volume(0)));
        node.unmountFails = true;
        int before = node.tools.ran.size();
        node.steps.clear();

        assertThat(answer(node.unstage(volume(0), state))).isEqualTo("IN_USE");
        assertThat(node.steps).isEmpty();
        assertThat(node.tools.ran).hasSize(before);
        assertThat(node.world.sessions).hasSize(1);
    }

    @Test
    void i12_whatTheKernelHoldsIsWrittenOutBeforeTheDiskGoes() {
        PluginState state = value(node.stage(volume(0)));
        node.steps.clear();

        assertThat(answer(node.unstage(volume(0), state))).isEqualTo("done");
        assertThat(node.steps).containsSubsequence("unmount", "flush sda", "remove sda");
    }

    @Test
    void i13_anotherDiskBehindTheSameNumberIsRefused() {
        PluginState state = value(node.stage(volume(0)));
        assertThat(answer(node.unstage(volume(0), state))).isEqualTo("done");
        node.world.unit(IQN, 0, "naa.other");

        assertThat(answer(node.stage(volume(0)))).isEqualTo("CORRUPT");
        assertThat(node.traces()).isEmpty();
        assertThat(node.requests).hasSize(1);
    }

    @Test
    void i13_pathsThatAreNotOneDiskAreRefused() {
        VolumeSpec two = volume(0, PORTAL, SECOND);
        value(node.stage(two));
        FakeWorld.Unit other = new FakeWorld.Unit("naa.other", 64L << 20);
        node.world.disks.computeIfPresent(
                "sdb", (name, disk) -> new FakeWorld.Scsi(name, disk.place(), disk.session(), other, disk.number()));
        node.world.mounts.clear();

        Outcome<PluginState> again = node.stage(two);
        assertThat(again.message()).contains("are not one disk");
        assertThat(node.world.mounts).isEmpty();
    }

    @Test
    void aUnitSmallerThanItWasIsDamaged() {
        VolumeSpec volume = volume(0);
        value(node.stage(volume));
        node.world.unitOf(IQN, 0).bytes = 32L << 20;
        node.world.mounts.clear();

        assertThat(node.stage(volume).message()).contains((32L << 20) + " bytes now");
        assertThat(node.world.mounts).isEmpty();
    }

    @Test
    void aUnitIsAskedToBeAsLargeAsItsVolumeIsSaidToBe() {
        value(node.stage(volume(0)));

        assertThat(node.requests)
                .singleElement()
                .satisfies(request -> assertThat(request.leastBytes()).isEqualTo(64L << 20));
    }

    @Test
    void i14_theDiskOfAnEarlierUnitIsRemovedBeforeTheScan() {
        node.world.login(IQN, FIRST, "default");
        node.world.scan(1, 0);
        node.world.get(IQN).units().put(0L, new FakeWorld.Unit("naa.new", 64L << 20));

        value(node.stage(volume(0)));
        assertThat(node.notes(volume(0))).containsEntry(Disks.NOTE, "naa.new");
    }

    @Test
    void i14_theDiskOfAnEarlierUnitThatIsUsedIsLeftAlone() {
        node.world.login(IQN, FIRST, "default");
        node.world.scan(1, 0);
        node.world.users.put("sda", "process 7");

        assertThat(answer(node.stage(volume(0)))).isEqualTo("IN_USE");
        assertThat(node.world.disks).hasSize(1);
        assertThat(node.world.sessions).hasSize(1);
    }

    @Test
    void i21_theUnitGrowsAndNeverShrinks() {
        VolumeSpec volume = volume(0);
        value(node.stage(volume));
        Quantity wanted = Quantity.ofBytes(128L << 20);
        assertThat(answer(expand(volume, wanted))).isEqualTo("deferred");

        node.world.unitOf(IQN, 0).bytes = 128L << 20;
        assertThat(value(expand(volume, wanted))).isEqualTo(wanted);
        assertThat(node.steps).contains("grow");
        assertThat(value(expand(volume, wanted))).isEqualTo(wanted);

        node.world.unitOf(IQN, 0).bytes = 64L << 20;
        assertThat(answer(expand(volume, wanted))).isEqualTo("CORRUPT");
    }

    /** A claim of 1G is no whole number of a file system's blocks, and is satisfied all the same. */
    @Test
    void i21_aVolumeIsAsLargeAsItsUnitAlthoughItsFileSystemIsALittleSmaller() {
        VolumeSpec volume = volume(0);
        value(node.stage(volume));
        node.world.unitOf(IQN, 0).bytes = 1_000_000_000;

        assertThat(value(expand(volume, Quantity.parse("1G")))).isEqualByComparingTo(Quantity.parse("1G"));
    }

    private Outcome<Quantity> expand(VolumeSpec volume, Quantity wanted) {
        return node.plugin().expandOnNode(node.context(volume), volume, node.staging(volume), wanted);
    }

    @Test
    void i28_whatIsSharedIsNeverWritten() {
        VolumeSpec shared = Volumes.withModes(volume(0), AccessMode.READ_ONLY_MANY);

        value(node.stage(shared));
        assertThat(node.world.readOnly).containsEntry("sda", true);
        assertThat(node.requests).singleElement().satisfies(request -> {
            assertThat(request.readOnly()).isTrue();
            assertThat(request.shared()).isTrue();
            assertThat(request.policy()).isEqualTo(FormatPolicy.NEVER);
        });
        assertThat(commands("sg_persist")).isEmpty();
        assertThat(node.steps).containsSubsequence("read-only sda", "mount");
    }

    @Test
    void aVolumeThatIsNotStagedIsUnstaged() {
        assertThat(answer(node.unstage(volume(0), PluginState.NONE))).isEqualTo("done");
        assertThat(node.tools.ran).isEmpty();
    }

    /** The pod's uid, by which the file is called, is the device's name in this world. */
    private static Path heldByAKubelet(String device) {
        return FakeNode.STAGING
                .resolve("volumeDevices/iface-default/" + PORTAL + "-" + IQN + "-lun-0")
                .resolve(device);
    }

    @Test
    void i32_aDeviceThatAKubeletHoldsForAPodIsTakenOver() {
        node.world.login(IQN, FIRST, "default");
        node.world.scan(1, 0);
        VolumeSpec volume = Volumes.block(Volumes.source(IQN, 0).toSource());
        Path held = heldByAKubelet("sda");
        node.world.mounts.put(held.toString(), "0:6");

        Adopted adopted = value(node.plugin().reconstruct(node.context(volume), held));
        assertThat(node.plugin().identify(adopted.source()))
                .isEqualTo(node.plugin().identify(volume.source()));
        node.world.mounts.clear();
        assertThat(answer(node.unstage(volume, adopted.state()))).isEqualTo("done");
        assertThat(node.world.disks).isEmpty();
        assertThat(node.world.sessions).as("the session is the kubelet's").hasSize(1);
    }

    /** Before Linux 5.12, and in a sandbox without its mount calls. */
    @Test
    void aVolumeIsUnstagedWhereNothingShowsWhatItsMountHides() throws IOException {
        Files.createDirectories(node.files.real(node.staging(volume(0))));
        PluginState state = value(node.stage(volume(0)));
        node.files.oldKernel = true;
        node.bindFails = true;

        assertThat(answer(node.unstage(volume(0), state))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
        assertThat(node.world.mounts).isEmpty();
    }

    @Test
    void i32_theNoteBelowAMountGoesWithoutTheMountCallsOfLinux512() throws IOException {
        Path directory = Files.createDirectories(node.files.real(node.staging(volume(0))));
        Path note = Files.writeString(
                directory.resolve("iscsi.json"),
                "{\"Portals\":[\"" + PORTAL + "\"],\"Iqn\":\"" + IQN
                        + "\",\"Lun\":\"0\",\"InitIface\":\"default\",\"Iface\":\"default\"}");
        PluginState state = value(node.stage(volume(0)));
        node.files.oldKernel = true;

        assertThat(answer(node.unstage(volume(0), state))).isEqualTo("done");
        assertThat(note).doesNotExist();
        assertThat(node.world.mounts).isEmpty();
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i32_anotherDeviceThanTheUnitOfItsPlaceIsNotTakenOver() {
        node.world.login(IQN, FIRST, "default");
        node.world.scan(1, 0);
        VolumeSpec volume = Volumes.block(Volumes.source(IQN, 0).toSource());
        Path held = heldByAKubelet("sdz");
        node.world.mounts.put(held.toString(), "0:6");

        assertThat(answer(node.plugin().reconstruct(node.context(volume), held)))
                .isEqualTo("NOT_FOUND");
        assertThat(node.world.disks).hasSize(1);
    }
}
