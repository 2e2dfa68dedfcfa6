// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * Files and directories of this machine. A path is resolved once; from then on everything happens to the object that was found
 * ({@link PinnedPath}), whatever its path means later. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface HostFiles {
    /**
     * Finds what is at a path, of whatever kind, without opening it for reading: a fifo or a device is not woken.
     *
     * @param path an absolute path
     * @param links what to do about symbolic links on the way and at the end
     * @return the object, to be closed by the caller; NOT_FOUND if nothing is there, INCOMPATIBLE for a link that may not be
     *     followed or a way through something that is no directory; deferred if it is unknown (no permission, I/O error):
     *     that is never taken for absence
     */
    Outcome<PinnedPath> open(Path path, LinkRule links);

    /**
     * Finds what is at a path or makes it, element by element. The mode of what was made is exact whatever the umask. For a
     * directory its parents are made too, for a file they have to exist.
     *
     * @param path an absolute path
     * @param links what to do about symbolic links in the part that exists
     * @param kind {@link FileKind#DIRECTORY} or {@link FileKind#FILE}
     * @param mode permission bits of every element made, such as 0755
     * @return what is there now, of whatever kind, and whether it is new; as {@link #open} otherwise
     */
    Outcome<Made> openOrMake(Path path, LinkRule links, FileKind kind, int mode);

    /**
     * Removes everything in a directory, and nothing else in the world: links are removed as links, a mount inside stops the walk,
     * no path is resolved twice (semantics/plugins §1.8). May be repeated after any interruption.
     *
     * @param context its deadline and cancellation end the walk, which can be resumed by another call
     * @param root the directory; it is kept
     * @param rules what it must be, and what to keep
     * @return what was removed; CORRUPT if it is not the expected directory, IN_USE for a mount inside or a tree that grows again,
     *     DENIED with the first name and the number of what could not be removed, uncertain if it was interrupted
     */
    Outcome<EmptiedTree> empty(OperationContext context, PinnedPath root, TreeRules rules);

    /**
     * Gives everything in a directory, and in the end the directory itself, to a group (semantics/attach-and-mount §3.11). Files and
     * directories get the bits of the rule on top of those that they have, links only the group. Never through a link and never into
     * another mount, which is left as it is. What is right already is not touched, so that repeating an interrupted walk costs little; the
     * root comes last and is wrong until all the rest is right.
     *
     * @param context its deadline and cancellation end the walk; it receives the progress of a long walk
     * @param root the directory, or a single file
     * @param rule what is wanted
     * @return what was done; DENIED with the first name and the number of what could not be changed, EXHAUSTED for a tree that is too deep,
     *     uncertain if it was interrupted
     */
    Outcome<OwnedTree> own(OperationContext context, PinnedPath root, OwnershipRule rule);

    /**
     * Copies everything in a directory into another one: content, owner, group, permission bits and time of change. Links are copied as
     * links, files with several names as several files; sockets, pipes and device nodes are left out, extended attributes too. Where the file
     * system can do that, the copies share their content with the original until one of them is written to. No path is resolved twice, so
     * that processes which write to the tree meanwhile cannot lead the walk out of it; what they write may or may not be in the copy.
     *
     * <p>Repeated after an interruption it goes on, also after a loss of power: a file that has size and time of the original is not copied
     * again, and a file that was interrupted goes on where it ends if the original has not been changed. What the original no longer has is
     * removed. When it is done, the copy has been written to the disk.
     *
     * @param context its deadline and cancellation end the walk
     * @param from the directory that is read; the attributes of itself are not copied
     * @param to the directory that is filled: an empty one, or one that an earlier attempt has filled in part
     * @return what was copied; IN_USE for a mount inside, EXHAUSTED for a full disk or a tree that is too deep, uncertain if it was
     *     interrupted
     */
    Outcome<CopiedTree> copy(OperationContext context, PinnedPath from, PinnedPath to);
}
