// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.file;

import static dev.mooring.host.linux.support.KernelMachine.kindOf;
import static dev.mooring.host.linux.support.KernelMachine.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.host.linux.support.TimedCall;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.OwnedTree;
import dev.mooring.storage.spi.host.OwnershipRule;
import dev.mooring.storage.spi.host.PinnedPath;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnershipWalkerTest {
    private static final OwnershipRule WRITABLE = new OwnershipRule(4711, false, false);
    private KernelMachine machine;
    private Path volume;

    @BeforeEach
    void makesAVolume() throws IOException {
        machine = new KernelMachine(HostFeature.ROOT, HostFeature.RESOLVE_RULES, HostFeature.MOUNT_IDENTITY);
        volume = machine.directory("volume");
        chmod(machine.file("volume/a/b/file", "x"), "600");
        chmod(machine.file("volume/tool", "x"), "4711");
        chmod(machine.file("outside/file", "x"), "600");
        Files.createSymbolicLink(volume.resolve("link"), Path.of("../outside/file"));
        Files.createSymbolicLink(volume.resolve("directoryLink"), Path.of("../outside"));
        chmod(volume.resolve("a"), "700");
        chmod(volume, "755");
    }

    @AfterEach
    void cleans() throws IOException {
        if (machine != null) {
            machine.close();
        }
    }

    private static void chmod(Path path, String mode) {
        KernelMachine.tool("chmod", mode, path.toString());
    }

    private static String modeAndGroup(Path path) throws IOException {
        int mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & 07777;
        return Integer.toOctalString(mode) + " " + Files.getAttribute(path, "unix:gid", LinkOption.NOFOLLOW_LINKS);
    }

    private Outcome<OwnedTree> own(OperationContext context, OwnershipRule rule) {
        try (PinnedPath root = machine.open(volume)) {
            return machine.host.files().own(context, root, rule);
        }
    }

    @Test
    void everythingBelongsToTheGroupAndNothingOutside() throws IOException {
        OwnedTree done = value(own(machine.context(), WRITABLE));
        assertThat(modeAndGroup(volume)).isEqualTo("2775 4711");
        assertThat(modeAndGroup(volume.resolve("a"))).isEqualTo("2770 4711");
        assertThat(modeAndGroup(volume.resolve("a/b/file"))).isEqualTo("660 4711");
        assertThat(modeAndGroup(volume.resolve("tool"))).isEqualTo("4771 4711");
        assertThat(modeAndGroup(volume.resolve("link"))).isEqualTo("777 4711");
        assertThat(modeAndGroup(machine.base.resolve("outside/file"))).isEqualTo("600 0");
        assertThat(modeAndGroup(machine.base.resolve("outside"))).doesNotContain("4711");
        assertThat(done).isEqualTo(new OwnedTree(7, 0, 0));
        assertThat(value(own(machine.context(), WRITABLE))).isEqualTo(new OwnedTree(0, 7, 0));
    }

    /** A look may have taken as long as its server was away. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
    void aWalkThatIsGivenUpChangesNothingMoreAndIsGoneOnWith(int looks) throws IOException {
        AtomicInteger left = new AtomicInteger(looks);
        OperationContext context = machine.context();
        OperationContext givenUp = cancelledBy(context, () -> left.getAndDecrement() <= 0);
        Outcome<OwnedTree> answer = own(givenUp, WRITABLE);
        assertThat(answer.toString()).startsWith("Uncertain").contains("interrupted");
        int given = 0;
        try (Stream<Path> files = Files.walk(volume)) {
            for (Path file : files.toList()) {
                given += modeAndGroup(file).endsWith(" 4711") ? 1 : 0;
            }
        }
        assertThat(given).isLessThanOrEqualTo(looks);
        assertThat(answer.message()).contains("(" + given + " changed");
        OwnedTree done = value(own(context, WRITABLE));
        assertThat(done.changed()).isEqualTo(7);
    }

    private static OperationContext cancelledBy(OperationContext context, BooleanSupplier cancelled) {
        return (OperationContext) Proxy.newProxyInstance(
                OperationContext.class.getClassLoader(),
                new Class<?>[] {OperationContext.class},
                (proxy, method, arguments) -> method.getName().equals("cancelled")
                        ? cancelled.getAsBoolean()
                        : method.invoke(context, arguments));
    }

    @Test
    void theGroupMayBeAllowedOnlyToRead() throws IOException {
        value(own(machine.context(), new OwnershipRule(4711, true, false)));
        assertThat(modeAndGroup(volume.resolve("a/b/file"))).isEqualTo("640 4711");
        assertThat(modeAndGroup(volume)).isEqualTo("2755 4711");
    }

    @Test
    void aRootThatIsRightIsBelievedOnlyIfAsked() throws IOException {
        value(own(machine.context(), WRITABLE));
        chmod(volume.resolve("a/b/file"), "600");
        assertThat(value(own(machine.context(), new OwnershipRule(4711, false, true))))
                .isEqualTo(new OwnedTree(0, 1, 0));
        assertThat(modeAndGroup(volume.resolve("a/b/file"))).isEqualTo("600 4711");
        assertThat(value(own(machine.context(), WRITABLE))).isEqualTo(new OwnedTree(1, 6, 0));
        chmod(volume, "g-s");
        chmod(volume.resolve("a/b/file"), "600");
        // without the set-gid bit the root is not right
        assertThat(value(own(machine.context(), new OwnershipRule(4711, false, true)))
                        .changed())
                .isEqualTo(2);
    }

    @Test
    void aMountInsideIsLeftAlone() throws IOException {
        Path inside = machine.directory("volume/mounted");
        KernelMachine.tool("mount", "-t", "tmpfs", "mooring-test", inside.toString());
        chmod(machine.file("volume/mounted/file", "x"), "600");
        assertThat(value(own(machine.context(), WRITABLE)).mounts()).isEqualTo(1);
        assertThat(modeAndGroup(inside.resolve("file"))).isEqualTo("600 0");
    }

    @Test
    void anInterruptedWalkLeavesTheRootWrongAndIsGoneOnWith() throws IOException {
        for (int i = 0; i < 300; i++) {
            machine.file("volume/many/" + i, "");
        }
        TimedCall cancelled = new TimedCall(machine.host, machine.context().deadline(), new AtomicBoolean(true));
        assertThat(kindOf(own(cancelled, WRITABLE))).isEqualTo("uncertain");
        assertThat(kindOf(own(TimedCall.within(machine.host, Duration.ZERO), WRITABLE)))
                .isEqualTo("uncertain");
        assertThat(modeAndGroup(volume)).isEqualTo("755 0");
        assertThat(value(own(machine.context(), new OwnershipRule(4711, false, true)))
                        .changed())
                .isEqualTo(308);
    }

    /** A tree that is too large for one attempt, each of which passes 64 files: none of them looks again at what is done. */
    @Test
    void eachAttemptGoesOnWhereTheOneBeforeWasCutOff() throws IOException {
        for (int i = 0; i < 300; i++) {
            machine.file("volume/many/" + i % 7 + "/" + i, "");
        }
        long files = 7 + 1 + 7 + 300;
        int attempts = 0;
        Optional<OwnedTree> done = Optional.empty();
        while (done.isEmpty() && attempts < 10) {
            attempts++;
            done = own(shortly(), WRITABLE).result();
        }
        assertThat(done).contains(new OwnedTree(files, 0, 0));
        assertThat(attempts).isBetween(5, 7);
        assertThat(value(own(machine.context(), WRITABLE))).isEqualTo(new OwnedTree(0, files, 0));
    }

    /** A process has 1,024 descriptors for all that it does. */
    @Test
    void aDeepTreeTakesFewDescriptorsAndNothingIsLeftOut() throws IOException {
        Path deep = volume.resolve("d");
        Files.createDirectory(deep);
        for (int i = 0; i < 700; i++) {
            Files.createFile(deep.resolve("a"));
            Files.createFile(deep.resolve("z"));
            deep = Files.createDirectory(deep.resolve("d"));
        }
        long entries;
        try (Stream<Path> all = Files.walk(volume)) {
            entries = all.count();
        }
        int before = descriptors();
        AtomicInteger most = new AtomicInteger();
        OperationContext context = machine.context();
        OperationContext counting = (OperationContext) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {OperationContext.class}, (proxy, method, arguments) -> {
                    most.accumulateAndGet(descriptors(), Math::max);
                    return method.invoke(context, arguments);
                });
        assertThat(value(own(counting, WRITABLE))).isEqualTo(new OwnedTree(entries, 0, 0));
        assertThat(most.get() - before).isLessThan(64);
        assertThat(value(own(machine.context(), WRITABLE)).unchanged()).isEqualTo(entries);
    }

    /** On its way back the walk is cut off in directories that are read for the second time. */
    @Test
    void aDeepTreeIsDoneByAttemptsThatAreCutOff() throws IOException {
        Path deep = volume.resolve("d");
        Files.createDirectory(deep);
        for (int i = 0; i < 45; i++) {
            for (int file = 0; file < 5; file++) {
                Files.createFile(deep.resolve("a" + file));
                Files.createFile(deep.resolve("z" + file));
            }
            deep = Files.createDirectory(deep.resolve("d"));
        }
        int attempts = 0;
        // Each passes some 250 files; the way down alone takes two steps for each level.
        while (own(shortly(4), WRITABLE).result().isEmpty()) {
            assertThat(++attempts).isLessThan(100);
        }
        assertThat(value(own(machine.context(), WRITABLE)).changed()).isZero();
    }

    private static int descriptors() {
        return Objects.requireNonNull(new File("/proc/self/fd").list()).length;
    }

    @Test
    void whatWasRemovedWhereAWalkWasCutOffHidesNothing() throws IOException {
        for (int i = 0; i < 100; i++) {
            machine.file("volume/many/" + i, "");
        }
        assertThat(kindOf(own(shortly(), WRITABLE))).isEqualTo("uncertain");
        KernelMachine.tool("rm", "-r", volume.resolve("many").toString());
        for (int i = 0; i < 100; i++) {
            machine.file("volume/many/other" + i, "");
        }
        value(own(machine.context(), WRITABLE));
        assertThat(value(own(machine.context(), WRITABLE)).changed()).isZero();
    }

    /** Its time is over when it is looked at for the second time. */
    private OperationContext shortly() {
        return shortly(1);
    }

    /** Its time is over after so many looks. */
    private OperationContext shortly(int allowed) {
        OperationContext context = machine.context();
        AtomicInteger looks = new AtomicInteger();
        return (OperationContext) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {OperationContext.class},
                (proxy, method, arguments) -> method.getName().equals("deadline") && looks.getAndIncrement() >= allowed
                        ? Instant.EPOCH
                        : method.invoke(context, arguments));
    }

    @Test
    void whatCannotBeChangedIsReportedAndTheRootStaysWrong() throws IOException {
        Path stuck = volume.resolve("a/b/file");
        org.junit.jupiter.api.Assumptions.assumeTrue(immutable(stuck, "+i"), "the file system has no immutable files");
        try {
            var outcome = own(machine.context(), WRITABLE);
            assertThat(kindOf(outcome)).isEqualTo("DENIED");
            assertThat(outcome.message()).contains("a/b/file").contains("4711");
            assertThat(modeAndGroup(volume)).isEqualTo("755 0");
        } finally {
            immutable(stuck, "-i");
        }
    }

    private static boolean immutable(Path file, String how) {
        try {
            KernelMachine.tool("chattr", how, file.toString());
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }
}
