// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A file or directory that was found and is held: it stays the same object, however paths change. Names given to the methods are
 * single elements or ways down from here; they never lead out of this directory, never through a link and never across a mount.
 *
 * <p>To be closed in any case. For one thread at a time; after {@link #close} every method throws {@link IllegalStateException}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface PinnedPath extends AutoCloseable {
    /** What it is now; deferred if the kernel does not say. */
    Outcome<FileFacts> facts();

    /** Its path as the kernel knows it now, without links; for people and for comparing with rules. */
    Outcome<Path> resolved();

    /** How full its file system is. May wait for a server. */
    Outcome<FileSystemSpace> space();

    /**
     * Finds something below.
     *
     * @param relative one or more elements, none of them {@code ..}
     * @return the object, to be closed by the caller; NOT_FOUND, INCOMPATIBLE for a link or a file on the way, IN_USE for a mount
     *     on the way
     */
    Outcome<PinnedPath> child(String relative);

    /**
     * Finds something below as a process that is confined to this directory would: links are followed, as long as they lead to nothing
     * outside; mounts below are entered. Decided by the kernel in one step, so that no process can exchange a name in between.
     *
     * @param relative one or more elements, none of them {@code ..}
     * @return the object, never a link, to be closed by the caller; NOT_FOUND if nothing is there, DENIED if the way leads out of this
     *     directory or through an absolute link, INCOMPATIBLE if it leads through a file or in circles, UNSUPPORTED where the kernel has no
     *     {@link HostFeature#RESOLVE_RULES}
     */
    Outcome<PinnedPath> within(String relative);

    /**
     * This directory without what is mounted below it: what a mount hides is found through it. No other process sees it, and nothing is
     * unmounted for it.
     *
     * @return the directory, to be closed by the caller; UNSUPPORTED where the kernel has no {@link HostFeature#ATOMIC_BIND}
     */
    Outcome<PinnedPath> withoutMounts();

    /**
     * Where a symbolic link in this directory leads to, as it is written.
     *
     * @return the text; empty if there is nothing of that name; INCOMPATIBLE if it is no link
     */
    Outcome<Optional<String>> readLink(String name);

    /**
     * Makes a symbolic link in this directory. Not flushed: for what can be made again.
     *
     * @param name one element
     * @param target what is written into the link, of any meaning
     * @return IN_USE if the name is taken
     */
    Outcome<Nothing> makeSymbolicLink(String name, String target);

    /**
     * Gives something in this directory another name, in one step that all processes see at once, in place of what has that name. Not
     * flushed: for what can be made again.
     *
     * @return NOT_FOUND if it is not there, INCOMPATIBLE if one of the two is a directory and the other is not, IN_USE if a directory to be
     *     replaced is not empty
     */
    Outcome<Nothing> replace(String name, String newName);

    /**
     * Finds a directory in this one or makes it, with exactly this mode whatever the umask.
     *
     * @param name one element
     * @param mode permission bits
     * @return the directory, new or not; INCOMPATIBLE if something else has the name
     */
    Outcome<Made> makeDirectory(String name, int mode);

    /** The names in this directory, sorted; refused as EXHAUSTED if there are more than the limit. */
    Outcome<List<String>> list(int limit);

    /**
     * Reads a small regular file in this directory.
     *
     * @param limit the most bytes that it may have
     * @return its content; empty if no file has that name; CORRUPT if it is larger or of another kind
     */
    Outcome<Optional<byte[]>> readFile(String name, int limit);

    /**
     * Writes a small file so that after a crash there is either the whole old or the whole new content: temporary file, flush,
     * rename, flush of this directory. A process that dies meanwhile may leave the temporary file, whose name is {@code .mooring-new-}
     * and the file's; writing the file again removes it.
     *
     * @param mode permission bits, exact
     */
    Outcome<Nothing> writeFile(String name, byte[] content, int mode);

    /** Removes a file or link in this directory and flushes it; done if it does not exist; INCOMPATIBLE for a directory. */
    Outcome<Nothing> removeFile(String name);

    /** Removes an empty directory and flushes; done if it does not exist; IN_USE if it is not empty or a mount point. */
    Outcome<Nothing> removeDirectory(String name);

    /**
     * Moves something to another directory of the same file system and flushes both. Never replaces anything.
     *
     * @return NOT_FOUND if it is not there, IN_USE if the new name is taken or it is a mount point, INCOMPATIBLE across file
     *     systems
     */
    Outcome<Nothing> rename(String name, PinnedPath newParent, String newName);

    /** Sets permission bits. */
    Outcome<Nothing> setMode(int mode);

    /**
     * Sets owner and group.
     *
     * @param owner the owner's number; -1 to leave it
     * @param group the group's number; -1 to leave it
     */
    Outcome<Nothing> setOwner(int owner, int group);

    /** Releases the path. Never fails; closing twice is harmless. */
    @Override
    void close();
}
