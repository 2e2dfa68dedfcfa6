// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.registration;

import dev.mooring.csi.CsiEndpoint;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Whether a driver's socket may be connected to. The kubelet connects to whatever is at the path. Here it has to be a socket that only this
 * user or root can put another one in the place of: who can do that between a look and the connection gets the secrets that are meant for the
 * driver. A link is followed, as the kubelet's directory may be one, and what counts is where it leads.
 * Only the node asks: controllers and side-cars share an emptyDir with their driver, and each emptyDir has mode 0777.
 */
final class SocketPlace {
    private static final int TYPE_MASK = 0170000;
    private static final int TYPE_SOCKET = 0140000;
    private static final int OTHERS_WRITE = 0002;
    private static final int STICKY = 01000;
    private static final int ROOT = 0;
    private static final Path SELF = Path.of("/proc/self");

    private SocketPlace() {}

    /** Why a driver's socket may not be connected to; empty if it may, or is not there yet. */
    static Optional<String> problem(CsiEndpoint endpoint) {
        try {
            Path socket = endpoint.socket().toRealPath();
            if ((attribute(socket, "mode") & TYPE_MASK) != TYPE_SOCKET) {
                return Optional.of(endpoint + ": " + socket + " is no socket");
            }
            // Of a link, both the place where it lies and the one where it leads.
            for (Path each : new Path[] {socket, endpoint.socket()}) {
                Path directory = each.getParent();
                if (directory != null && isReplaceable(attribute(directory, "mode"), owner(each), owner(SELF))) {
                    return Optional.of(
                            endpoint + ": every user of the machine can put another socket in its place; take"
                                    + " the right to write to " + directory + " away from others (chmod o-w)");
                }
            }
            return Optional.empty();
        } catch (NoSuchFileException notYet) {
            return Optional.empty();
        } catch (FileSystemException loop) {
            return Optional.of(endpoint + " cannot be looked at: " + loop.getMessage());
        } catch (IOException e) {
            return Optional.of(endpoint + " cannot be looked at: " + e);
        }
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

    private static int owner(Path path) throws IOException {
        return attribute(path, "uid");
    }

    private static int attribute(Path path, String name) throws IOException {
        Map<String, Object> read = Files.readAttributes(path, "unix:" + name);
        return (Integer) read.getOrDefault(name, 0);
    }
}
