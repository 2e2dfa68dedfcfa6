// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.host.linux.support.TimedCall;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BoundedCallsTest {
    private KernelMachine machine;

    @BeforeEach
    void setUp() {
        machine = new KernelMachine();
    }

    @AfterEach
    void tearDown() throws IOException {
        if (machine != null) {
            machine.close();
        }
    }

    @Test
    void aCallThatGotNoThreadHindersNoOther() {
        AtomicBoolean full = new AtomicBoolean(true);
        BoundedCalls calls = new BoundedCalls(body -> new Thread(body) {
            @Override
            public synchronized void start() {
                if (full.get()) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                super.start();
            }
        });
        AtomicInteger closed = new AtomicInteger();
        TimedCall context = machine.context();

        Outcome<Nothing> without =
                calls.call(context, "device one", "a call", closed::incrementAndGet, () -> Outcome.done());
        assertThat(KernelMachine.kindOf(without)).isEqualTo("deferred");
        assertThat(without.message()).contains("unable to create native thread");
        assertThat(closed).hasValue(1);

        full.set(false);
        assertThat(calls.call(context, "device one", "a call", closed::incrementAndGet, () -> Outcome.done()))
                .isEqualTo(Outcome.done());
        assertThat(closed).hasValue(2);
    }
}
