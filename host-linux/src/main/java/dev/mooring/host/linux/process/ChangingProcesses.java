// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.process;

/** Which things a process that was started here still changes (semantics/plugins §1.1 P3). Thread-safe. */
public interface ChangingProcesses {
    /** Whether a process that changes it lives. */
    boolean isChanging(String thing);

    /** Runs something as soon as no process changes the thing any more; at once if none does. */
    void whenSettled(String thing, Runnable action);
}
