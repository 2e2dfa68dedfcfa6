// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;

/** The threads of this process, of which a server that is closed leaves none. */
public final class ServerThreads {
    private ServerThreads() {}

    /** All that are alive now. */
    public static Set<Thread> alive() {
        return new HashSet<>(Thread.getAllStackTraces().keySet());
    }

    /** Fails if a server's thread is alive that was not before. */
    public static void assertNoneLeft(Set<Thread> before) {
        Set<Thread> left = alive();
        left.removeAll(before);
        assertThat(left.stream().map(Thread::getName).filter(name -> name.startsWith("api")))
                .isEmpty();
    }
}
