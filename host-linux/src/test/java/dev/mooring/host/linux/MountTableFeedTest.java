// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.HostFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class MountTableFeedTest {
    private final AtomicInteger reads = new AtomicInteger();
    private final Semaphore told = new Semaphore(0);
    private KernelMachine machine;
    private MountTableFeed feed;

    @BeforeEach
    void setUp() {
        machine = new KernelMachine(HostFeature.ROOT);
        MountTableReader counting = new MountTableReader(() -> {
            reads.incrementAndGet();
            return Files.readAllBytes(Path.of("/proc/self/mountinfo"));
        });
        feed = KernelMachine.value(MountTableFeed.start(machine.kernel, counting, () -> {}));
        feed.onChange(told::release);
    }

    @AfterEach
    void tearDown() throws IOException {
        if (feed != null) {
            feed.close();
        }
        if (machine != null) {
            machine.close();
        }
    }

    private Path mount(String name) {
        Path place = machine.directory(name);
        KernelMachine.tool("mount", "-t", "tmpfs", "feed-test", place.toString());
        return place;
    }

    private boolean isMounted(Path place) {
        return KernelMachine.value(feed.table()).top(place).isPresent();
    }

    @Test
    void anIdleTableIsReadOnceHoweverOftenItIsAsked() {
        int before = reads.get();
        assertThat(before).isEqualTo(1);
        for (int i = 0; i < 1000; i++) {
            KernelMachine.value(feed.table());
        }
        // other programs of this machine may mount something meanwhile, but not a thousand times
        assertThat(reads.get()).isLessThan(100);
        assertThat(feed.version()).isLessThan(100);
    }

    @Test
    void aChangeIsSeenByTheVeryNextQuestion() {
        for (int i = 0; i < 20; i++) {
            long before = feed.version();
            Path place = mount("place");
            assertThat(isMounted(place)).isTrue();
            assertThat(feed.version()).isGreaterThan(before);
            KernelMachine.tool("umount", place.toString());
            assertThat(isMounted(place)).isFalse();
        }
    }

    @Test
    void aListenerIsToldWithoutAsking() throws InterruptedException {
        Path place = mount("place");

        assertThat(told.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
        assertThat(isMounted(place)).isTrue();
    }

    @Test
    void changesThatFollowEachOtherAreToldTogether() throws InterruptedException {
        feed.close();
        AtomicInteger looks = new AtomicInteger();
        MountTableReader counting = new MountTableReader(() -> {
            looks.incrementAndGet();
            return Files.readAllBytes(Path.of("/proc/self/mountinfo"));
        });
        feed = KernelMachine.value(MountTableFeed.start(machine.kernel, counting, Duration.ofSeconds(5), () -> {}));
        feed.onChange(told::release);
        told.drainPermits();
        for (int i = 0; i < 10; i++) {
            mount("place-" + i);
        }

        assertThat(told.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
        assertThat(isMounted(machine.base.resolve("place-0"))).isTrue();
        // on a machine that is slow some of them may come after the first look
        assertThat(looks.get()).isLessThan(10);
        assertThat(feed.reads()).isEqualTo(looks.get());
    }

    @Test
    void aListenerThatFailsSilencesNoOther() throws InterruptedException {
        feed.close();
        Semaphore second = new Semaphore(0);
        feed = KernelMachine.value(machine.host.followMounts());
        feed.onChange(() -> {
            throw new IllegalStateException("a defect");
        });
        feed.onChange(second::release);

        mount("place");
        assertThat(second.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
        mount("other");
        assertThat(second.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void theHostAnswersFromItsFeedAndByItselfAfterwards() {
        MountTableFeed running = KernelMachine.value(machine.host.followMounts());
        assertThat(KernelMachine.refusal(machine.host.followMounts())).contains(Refusal.IN_USE);
        Path place = mount("place");
        assertThat(machine.mountsAt(place)).hasSize(1);

        running.close();
        running.close();
        assertThat(machine.mountsAt(place)).hasSize(1);
        assertThat(KernelMachine.kindOf(running.table())).isEqualTo("deferred");
        KernelMachine.value(machine.host.followMounts()).close();
    }
}
