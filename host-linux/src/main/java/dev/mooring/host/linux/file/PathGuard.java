// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.file;

import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;

/**
 * What a caller may do with the files that it finds. Asked of what is held, not of a path, so that no link and no mount leads around it.
 * Each answer is done, or a refusal that says whose the file is, or deferred if that cannot be found out. Thread-safe.
 */
public interface PathGuard {
    /** Lets everything pass: for the host itself. */
    PathGuard NONE = new PathGuard() {};

    /** Whether links that are followed have to be walked one by one, each step to be asked by {@link #onTheWay}. */
    default boolean asksOnTheWay() {
        return false;
    }

    /** Whether the way to a file may lead through this directory. */
    default Outcome<Nothing> onTheWay(Descriptor directory) throws KernelException {
        return Outcome.done();
    }

    /** Whether the kernel alone knows where a link in this directory leads, as in that of a process in {@code /proc}. */
    default boolean leadsByItself(Descriptor directory) throws KernelException {
        return false;
    }

    /** Whether it may be shown, read or changed. */
    default Outcome<Nothing> use(Descriptor held) {
        return Outcome.done();
    }

    /** Whether it may be emptied, given away, or left to a program that can do so, with everything below it. */
    default Outcome<Nothing> whole(Descriptor held) {
        return Outcome.done();
    }

    /**
     * Whether everything in a directory may be used and changed: then no name in it has to be asked for. False also where that cannot be
     * found out.
     */
    default boolean isFree(Descriptor directory) {
        return true;
    }

    /**
     * Whether a name in a directory may be made, read, replaced, removed or given to something else.
     *
     * @param name one element, ended by NUL
     */
    default Outcome<Nothing> entry(Descriptor directory, byte[] name) {
        return Outcome.done();
    }

    /**
     * Whether a directory may be made under a name in a directory, to go on into it.
     *
     * @param name one element, ended by NUL
     */
    default Outcome<Nothing> way(Descriptor directory, byte[] name) {
        return entry(directory, name);
    }
}
