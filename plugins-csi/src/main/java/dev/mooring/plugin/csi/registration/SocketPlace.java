// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.registration;

import dev.mooring.csi.CsiEndpoint;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;

/**
 * Whether a driver's socket may be connected to. The kubelet connects to whatever is at the path. Here no other user than root and this one may
 * be able to put another socket in its place: between this look and a connection, or before the next connection, that user would get the secrets
 * that are meant for the driver. So each directory and each link on the way is judged, and nothing has to be compared after a connection: a
 * socket that is exchanged meanwhile is one that root, this user or the driver has put there, as a driver does that restarts.
 * A link is followed, as the kubelet's directory may be one.
 *
 * <p>Only the node asks: controllers and side-cars share an emptyDir with their driver, and each emptyDir has mode 0777.
 */
final class SocketPlace {
    private static final int OTHERS_WRITE = 0002;
    private static final int STICKY = 01000;
    private static final int ROOT = 0;
    private static final int MOST_LINKS = 40;
    private static final Path ROOT_DIRECTORY = Path.of("/");
    private static final Path SELF = Path.of("/proc/self/stat");

    private SocketPlace() {}

    /** Why a driver's socket may not be connected to; empty if it may, or is not there yet. */
    static Optional<String> problem(CsiEndpoint endpoint) {
        try {
            return judge(endpoint);
        } catch (NoSuchFileException notYet) {
            return Optional.empty();
        } catch (FileSystemException loop) {
            return Optional.of(endpoint + " cannot be looked at: " + loop.getMessage());
        } catch (IOException e) {
            return Optional.of(endpoint + " cannot be looked at: " + e);
        }
    }

    /** Goes the way that a connection goes, from the root and through each link. */
    private static Optional<String> judge(CsiEndpoint endpoint) throws IOException {
        Path here = ROOT_DIRECTORY;
        Deque<Path> way = new ArrayDeque<>();
        endpoint.socket().toAbsolutePath().forEach(way::addLast);
        int self = owner(SELF);
        int links = 0;
        while (!way.isEmpty()) {
            Path name = way.removeFirst();
            Path next = here.resolve(name).normalize();
            if (!next.startsWith(here)) {
                here = next;
                continue;
            }
            if (isReplaceable(attribute(here, "mode"), owner(next), self)) {
                return Optional.of(
                        endpoint + ": every user of the machine can put another socket in its place; take the"
                                + " right to write to " + here + " away from others (chmod o-w)");
            }
            if (!Files.isSymbolicLink(next)) {
                here = next;
                continue;
            }
            if (++links > MOST_LINKS) {
                throw new FileSystemLoopException(next.toString());
            }
            Path target = Files.readSymbolicLink(next);
            here = target.isAbsolute() ? ROOT_DIRECTORY : here;
            for (int i = target.getNameCount() - 1; i >= 0; i--) {
                way.addFirst(target.getName(i));
            }
        }
        return CsiEndpoint.isSocket(here) ? Optional.empty() : Optional.of(endpoint + ": " + here + " is no socket");
    }

    /**
     * Whether another user than root and this process's can put something in the place of a file, or has made it.
     *
     * @param directory the mode of its directory
     * @param owner who owns the file
     * @param self the user of this process
     */
    static boolean isReplaceable(int directory, int owner, int self) {
        if ((directory & OTHERS_WRITE) == 0) {
            return false;
        }
        return (directory & STICKY) == 0 || (owner != ROOT && owner != self);
    }

    /** Of a link that of the link itself, who can let it lead elsewhere. */
    private static int owner(Path path) throws IOException {
        return attribute(path, "uid", LinkOption.NOFOLLOW_LINKS);
    }

    private static int attribute(Path path, String name, LinkOption... links) throws IOException {
        Map<String, Object> read = Files.readAttributes(path, "unix:" + name, links);
        return (Integer) read.getOrDefault(name, 0);
    }
}
