// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.kernel;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.BindOptions;
import java.util.OptionalLong;

/**
 * Shows what is open at a second place, as a whole and restricted from the first instant, by the mount calls of Linux 5.12: {@code
 * open_tree} makes a copy that is attached nowhere, {@code mount_setattr} gives it its restrictions and cuts it off from the original's
 * propagation, {@code move_mount} attaches it. A crash before the last call leaves nothing: the kernel drops a copy that is not attached.
 * Thread-safe.
 */
public final class MountCloning {
    private static final long READ_ONLY = 1;
    private static final long NO_SETUID = 2;
    private static final long NO_DEVICES = 4;
    private static final long NO_EXECUTION = 8;
    private static final long SLAVE = 1 << 19;
    private static final long PRIVATE = 1 << 18;

    private final Kernel kernel;

    public MountCloning(Kernel kernel) {
        this.kernel = kernel;
    }

    /**
     * A mount that was attached.
     *
     * @param id its number in the table
     * @param lasting its number for {@link SingleMounts}; empty if the kernel has none
     */
    public record Attached(int id, OptionalLong lasting) {}

    /**
     * Attaches a copy of a mount.
     *
     * @param source what is shown
     * @param place the mount point, of the same kind
     * @return the new mount; refused as {@code UNSUPPORTED} where the kernel does not have these calls
     */
    public Outcome<Attached> attach(Descriptor source, Descriptor place, BindOptions options) {
        return Guarded.change(() -> {
            try (Descriptor tree = kernel.cloneTree(source, options.recursive())) {
                kernel.setMountAttributes(tree, attributes(options), options.followsOriginal() ? SLAVE : PRIVATE);
                Attached copy = new Attached(kernel.knownStatus(tree).mountId(), kernel.mountOf(tree));
                kernel.moveMount(tree, place);
                return Outcome.done(copy);
            }
        });
    }

    /** A copy of one mount, without those below, that is attached nowhere and gone when it is closed. */
    public static Descriptor alone(Kernel kernel, Descriptor directory) throws KernelException {
        Descriptor tree = kernel.cloneTree(directory, false);
        try {
            // else what is mounted at the original's place would come here too
            kernel.setMountAttributes(tree, 0, PRIVATE);
            return tree;
        } catch (KernelException e) {
            tree.close();
            throw e;
        }
    }

    private static long attributes(BindOptions options) {
        return (options.readOnly() ? READ_ONLY : 0)
                | (options.noSetuid() ? NO_SETUID : 0)
                | (options.noDevices() ? NO_DEVICES : 0)
                | (options.noExecution() ? NO_EXECUTION : 0);
    }
}
