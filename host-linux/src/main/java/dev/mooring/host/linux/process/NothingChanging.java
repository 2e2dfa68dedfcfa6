// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.process;

/** Tools of which none goes on after it was answered for. */
public final class NothingChanging implements ChangingProcesses {
    @Override
    public boolean isChanging(String thing) {
        return false;
    }

    @Override
    public void whenSettled(String thing, Runnable action) {
        action.run();
    }
}
