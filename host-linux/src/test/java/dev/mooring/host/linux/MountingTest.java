// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.MountRequest;
import dev.mooring.storage.spi.host.UnmountForce;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MountingTest {
    private static final long SIZE = 16 << 20;

    private KernelMachine machine;
    private Path target;

    @BeforeEach
    void setUp() {
        machine = new KernelMachine(HostFeature.ROOT);
        machine.directory("pods");
        target = machine.base.resolve("pods/target");
    }

    @AfterEach
    void tearDown() throws IOException {
        if (machine != null) {
            machine.close();
        }
    }

    private Outcome<MountEntry> mount(MountRequest request) {
        return machine.host.mounts().mount(machine.context(), target, request);
    }

    private static MountRequest tmpfs(boolean readOnly, String... options) {
        return new MountRequest("mooring-test", "tmpfs", List.of(options), readOnly);
    }

    private BlockDevice formatted() {
        BlockDevice disk = machine.disk("disk", SIZE);
        KernelMachine.tool("mkfs.ext4", "-q", disk.path().toString());
        return disk;
    }

    private static MountRequest ext4(BlockDevice disk, boolean readOnly) {
        return new MountRequest(disk.path().toString(), "ext4", List.of(), readOnly);
    }

    @Test
    void mountsWithAllOptionsAndMakesTheMountPoint() {
        MountEntry entry =
                KernelMachine.value(mount(tmpfs(false, "size=1m", "nosuid", "nodev", "noexec", "mode=0751")));

        assertThat(entry.mountPoint()).isEqualTo(target);
        assertThat(entry.options()).contains("rw", "nosuid", "nodev", "noexec");
        assertThat(entry.superOptions()).contains("size=1024k", "mode=751");
    }

    @Test
    void aFileSystemThatInsistsOnBeingReadOnlyIsNotCalledRefusedWhileItIsMounted() {
        BlockDevice disk = formatted();
        KernelMachine.tool("tune2fs", "-O", "read-only", disk.path().toString());

        assertThat(KernelMachine.kindOf(mount(ext4(disk, false)))).isEqualTo("uncertain");
        assertThat(machine.mountsAt(target)).hasSize(1);
    }

    @Test
    void mountingAgainGivesTheSameMount() {
        MountEntry first = KernelMachine.value(mount(tmpfs(false)));
        MountEntry second = KernelMachine.value(mount(tmpfs(false)));

        assertThat(second.id()).isEqualTo(first.id());
        assertThat(machine.mountsAt(target)).hasSize(1);
    }

    @Test
    void m06_aMountOfOtherKindIsNotTakenForOurs() {
        KernelMachine.value(mount(tmpfs(false)));

        assertThat(KernelMachine.refusal(mount(tmpfs(true)))).contains(Refusal.INCOMPATIBLE);
        assertThat(KernelMachine.refusal(mount(new MountRequest("other", "tmpfs", List.of(), false))))
                .contains(Refusal.IN_USE);
        assertThat(KernelMachine.refusal(mount(new MountRequest("mooring-test", "ramfs", List.of(), false))))
                .contains(Refusal.IN_USE);
    }

    @Test
    void mountsADeviceAndKnowsItUnderAnotherName() throws IOException {
        BlockDevice disk = formatted();
        Path link = Files.createSymbolicLink(machine.base.resolve("link"), disk.path());
        MountEntry first = KernelMachine.value(mount(ext4(disk, false)));
        Files.writeString(target.resolve("file"), "content");

        Outcome<MountEntry> again = mount(new MountRequest(link.toString(), "ext4", List.of(), false));

        assertThat(first.device()).isEqualTo(disk.number());
        assertThat(KernelMachine.refusal(again)).contains(Refusal.IN_USE);
        assertThat(mount(ext4(disk, false))).isEqualTo(Outcome.done(first));
    }

    @Test
    void aReadOnlyMountRefusesWrites() {
        MountEntry entry = KernelMachine.value(mount(ext4(formatted(), true)));

        assertThat(entry.options()).contains("ro");
        assertThat(entry.superOptions()).contains("ro");
    }

    @Test
    void aFailedMountLeavesNothing() {
        BlockDevice blank = machine.disk("blank", SIZE);

        assertThat(KernelMachine.refusal(mount(ext4(blank, false)))).contains(Refusal.INVALID);
        assertThat(target).doesNotExist();
        assertThat(machine.mountsAt(target)).isEmpty();
    }

    @ParameterizedTest(name = "{0} {1} → {2}")
    @CsvSource({
        "/dev/no-such-device, ext4, NOT_FOUND",
        "/dev/null, ext4, INCOMPATIBLE",
        "none, no-such-filesystem, UNSUPPORTED"
    })
    void classifiesWhatTheKernelSays(String source, String type, Refusal refusal) {
        assertThat(KernelMachine.refusal(mount(new MountRequest(source, type, List.of(), false))))
                .contains(refusal);
    }

    @Test
    void aMountPointThatIsALinkIsNotFollowed() throws IOException {
        Path elsewhere = machine.directory("elsewhere");
        Files.createSymbolicLink(target, elsewhere);

        assertThat(KernelMachine.refusal(mount(tmpfs(false)))).contains(Refusal.INCOMPATIBLE);
        assertThat(machine.mountsAt(elsewhere)).isEmpty();
    }

    @Test
    void goesAwayWithItsMountPoint() {
        MountEntry entry = KernelMachine.value(mount(ext4(formatted(), false)));

        assertThat(machine.host
                        .mounts()
                        .unmount(machine.context(), target, MountExpectation.of(entry, false), UnmountForce.NONE))
                .isEqualTo(Outcome.done());
        assertThat(target).doesNotExist();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = ';',
            value = {
                "; 0; ''",
                "ro; 1; ''",
                "defaults,_netdev,nofail,rw; 0; ''",
                "nosuid,nodev,noexec,noatime; 1038; ''",
                "noexec,exec; 0; ''",
                "exec,noexec; 8; ''",
                "data=ordered,nosuid,discard; 2; data=ordered,discard"
            })
    void optionsAreBitsOrText(String options, long flags, String data) {
        List<String> list = options == null ? List.of() : List.of(options.split(","));

        assertThat(MountCallOptions.of(list, false)).isEqualTo(Outcome.done(new MountCallOptions(flags, data)));
    }

    @Test
    void m01_oneElementIsOneOption() {
        assertThat(KernelMachine.refusal(MountCallOptions.of(List.of("a,suid"), false)))
                .contains(Refusal.INVALID);
        assertThat(KernelMachine.refusal(MountCallOptions.of(List.of(""), false)))
                .contains(Refusal.INVALID);
        assertThat(KernelMachine.refusal(MountCallOptions.of(List.of("a\nb"), false)))
                .contains(Refusal.INVALID);
        assertThat(KernelMachine.refusal(MountCallOptions.of(List.of("rw"), true)))
                .contains(Refusal.INVALID);
        assertThat(KernelMachine.refusal(MountCallOptions.of(List.of("x".repeat(5000)), false)))
                .contains(Refusal.INVALID);
        assertThat(MountCallOptions.of(List.of("context=\"a,b\""), true))
                .isEqualTo(Outcome.done(new MountCallOptions(1, "context=\"a,b\"")));
    }
}
