// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.kernel;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.BindOptions;

/**
 * By the mount calls of Linux 5.12: {@code open_tree} makes a copy that nobody sees, {@code mount_setattr} gives it its restrictions and
 * cuts it off from the original's propagation, {@code move_mount} attaches it. A crash before the last call leaves nothing, since the
 * kernel drops a copy that is not attached.
 */
public final class NewCloning implements Cloning {
    private static final long READ_ONLY = 1;
    private static final long NO_SETUID = 2;
    private static final long NO_DEVICES = 4;
    private static final long NO_EXECUTION = 8;
    private static final long SLAVE = 1 << 19;
    private static final long PRIVATE = 1 << 18;

    private final Kernel kernel;

    public NewCloning(Kernel kernel) {
        this.kernel = kernel;
    }

    @Override
    public Outcome<Attached> attach(Descriptor source, Descriptor place, boolean directory, BindOptions options) {
        return Guarded.change(() -> {
            try (Descriptor tree = kernel.cloneTree(source, options.recursive())) {
                kernel.setMountAttributes(tree, attributes(options), options.followsOriginal() ? SLAVE : PRIVATE);
                Attached copy = new Attached(kernel.status(tree).mountId(), kernel.mountOf(tree));
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
