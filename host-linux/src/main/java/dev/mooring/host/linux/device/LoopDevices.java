// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.device;

import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.DeviceCalls;
import dev.mooring.host.linux.kernel.Errno;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.host.linux.kernel.KernelText;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.Sysfs;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Loop devices by the kernel's own calls. Nothing is kept: which loop device belongs to a file is read from {@code /sys} each time
 * (semantics/plugins §1.7).
 */
final class LoopDevices {
    private static final long LOOP_CLR_FD = 0x4c01;
    private static final long LOOP_SET_CAPACITY = 0x4c07;
    private static final long LOOP_CONFIGURE = 0x4c0a;
    private static final long LOOP_CTL_GET_FREE = 0x4c82;
    private static final int CONFIG_BYTES = 304;
    private static final int CONFIG_INFO_OFFSET = 8;
    private static final int NAME_OFFSET = 56;
    private static final int NAME_BYTES = 64;
    private static final int ATTEMPTS = 50;
    private static final String DELETED = " (deleted)";
    private static final Path BLOCK = Path.of("/sys/block");

    private final DeviceCalls devices;
    private final Sysfs sysfs;

    LoopDevices(DeviceCalls devices, Sysfs sysfs) {
        this.devices = devices;
        this.sysfs = sysfs;
    }

    /** The loop devices and the file behind each, without the mark of a deleted one; not those that stand for nothing. */
    Outcome<List<Backing>> all() {
        return sysfs.list(BLOCK).then(names -> {
            List<Backing> found = new ArrayList<>();
            for (String name : names) {
                Path file = BLOCK.resolve(name).resolve("loop/backing_file");
                Outcome<Optional<String>> text =
                        name.startsWith("loop") ? sysfs.read(file) : Outcome.done(Optional.empty());
                if (!text.isDone()) {
                    return text.map(nothing -> List.of());
                }
                text.result()
                        .flatMap(backing -> backing)
                        .ifPresent(backing -> found.add(Backing.of(name, KernelText.decoded(backing))));
            }
            return Outcome.done(List.copyOf(found));
        });
    }

    /**
     * A loop device and the file that it shows.
     *
     * @param deleted whether the file is not under its name any more; another one may be
     */
    record Backing(String name, Path file, boolean deleted) {
        static Backing of(String name, String text) {
            boolean deleted = text.endsWith(DELETED);
            String file = deleted ? text.substring(0, text.length() - DELETED.length()) : text;
            return new Backing(name, KernelText.path(file), deleted);
        }
    }

    /** Whether a loop device shows all of its file. Another program may have made one for a part. */
    boolean isWhole(Backing loop) {
        Path directory = BLOCK.resolve(loop.name()).resolve("loop");
        return isZero(directory.resolve("offset")) && isZero(directory.resolve("sizelimit"));
    }

    private boolean isZero(Path file) {
        return sysfs.read(file).equals(Outcome.done(Optional.of("0")));
    }

    /**
     * Makes a loop device for an open file; its name, such as {@code loop3}.
     *
     * @param readOnly whether the file is not open for writing
     */
    Outcome<String> attach(Descriptor file, Path path, boolean readOnly) throws KernelException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            long free;
            try (Descriptor control = devices.open(Kernel.name("/dev/loop-control"), Kernel.O_RDWR)) {
                free = devices.control(control, LOOP_CTL_GET_FREE, 0, "LOOP_CTL_GET_FREE");
            }
            try (Descriptor loop = devices.open(Kernel.name("/dev/loop" + free), Kernel.O_RDWR)) {
                configure(loop, file, path);
                // what the last user has set outlives him
                devices.setReadOnly(loop, readOnly);
                return Outcome.done("loop" + free);
            } catch (KernelException e) {
                // another process was faster, with this device or with its device file
                if (!e.is(Errno.EBUSY) && !e.is(Errno.ENOENT)) {
                    throw e;
                }
            }
        }
        return Outcome.refused(Refusal.EXHAUSTED, "no free loop device for " + path);
    }

    private void configure(Descriptor loop, Descriptor file, Path path) throws KernelException {
        byte[] config = new byte[CONFIG_BYTES];
        ByteBuffer.wrap(config).order(ByteOrder.nativeOrder()).putInt(file.number());
        byte[] name = Kernel.name(path);
        System.arraycopy(name, 0, config, CONFIG_INFO_OFFSET + NAME_OFFSET, Math.min(name.length, NAME_BYTES - 1));
        devices.control(loop, LOOP_CONFIGURE, config, "LOOP_CONFIGURE");
    }

    /** Takes over the size of the file. */
    void rescan(String name) throws KernelException {
        try (Descriptor loop = devices.open(Kernel.name("/dev/" + name), Kernel.O_RDONLY)) {
            devices.control(loop, LOOP_SET_CAPACITY, 0, "LOOP_SET_CAPACITY");
        }
    }

    /**
     * Lets go of a loop device if it still shows the file that it was seen with; it goes when its last user does. While it is held open
     * here, it cannot get another file.
     */
    void detach(Backing seen) throws KernelException {
        try (Descriptor loop = devices.open(Kernel.name("/dev/" + seen.name()), Kernel.O_RDONLY)) {
            if (!isStill(seen)) {
                return;
            }
            devices.setReadOnly(loop, false);
            devices.control(loop, LOOP_CLR_FD, 0, "LOOP_CLR_FD");
        } catch (KernelException e) {
            // let go meanwhile
            if (!e.is(Errno.ENXIO) && !e.is(Errno.ENOENT)) {
                throw e;
            }
        }
    }

    /** The mark of a deleted file may have come since. */
    private boolean isStill(Backing seen) {
        return sysfs.read(BLOCK.resolve(seen.name()).resolve("loop/backing_file"))
                .result()
                .flatMap(text -> text)
                .map(text -> Backing.of(seen.name(), KernelText.decoded(text)))
                .filter(now -> now.file().equals(seen.file()))
                .isPresent();
    }
}
