// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class TargetLocksTest {
    private final TargetLocks locks = new TargetLocks();

    @Test
    void noLockIsLeftOfATargetThatNobodyWorksOn() {
        for (int i = 0; i < 100; i++) {
            assertThat(locks.<Integer>with("target" + i, lock -> locks.size())).isEqualTo(1);
        }
        assertThatThrownBy(() -> locks.with("target", lock -> {
                    throw new IllegalStateException("as a plugin may");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(locks.size()).isZero();
    }

    @Test
    void whoUsesATargetAtTheSameTimeHasTheSameLockAndNoOtherTargetHasIt() throws InterruptedException {
        AtomicReference<ReentrantLock> first = new AtomicReference<>();
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch seen = new CountDownLatch(1);
        Thread holder = new Thread(() -> locks.with("one", lock -> {
            first.set(lock);
            entered.countDown();
            return awaited(seen);
        }));
        holder.start();
        entered.await();

        assertThat(locks.<ReentrantLock>with("one", lock -> lock)).isSameAs(first.get());
        assertThat(locks.<ReentrantLock>with("other", lock -> lock)).isNotSameAs(first.get());
        // the one who came second and has gone takes nothing from the first
        assertThat(locks.<ReentrantLock>with("one", lock -> lock)).isSameAs(first.get());
        seen.countDown();
        holder.join();
        assertThat(locks.size()).isZero();
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            return latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
