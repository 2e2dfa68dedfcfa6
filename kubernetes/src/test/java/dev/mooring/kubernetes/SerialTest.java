// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tasks one after the other. */
class SerialTest {
    private final List<String> done = new ArrayList<>();
    private final List<Runnable> begun = new ArrayList<>();
    private final Serial serial = new Serial(begun::add);

    @Test
    void goesOnAfterATaskThatThrewWhateverItWas() {
        serial.execute(() -> {
            throw new AssertionError("planted");
        });
        serial.execute(() -> done.add("second"));
        begun.remove(0).run();
        serial.execute(() -> done.add("third"));
        begun.remove(0).run();
        assertThat(done).containsExactly("second", "third");
    }

    @Test
    void aMachineWithoutMemoryIsNoTasksFault() {
        serial.execute(() -> {
            throw new OutOfMemoryError("planted");
        });
        assertThatThrownBy(begun.get(0)::run).isInstanceOf(OutOfMemoryError.class);
    }
}
