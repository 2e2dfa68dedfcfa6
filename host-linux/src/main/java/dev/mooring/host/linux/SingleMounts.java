// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.Errno;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.host.linux.kernel.KernelText;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountEntryBuilder;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the kernel tells of one mount, by {@code statmount} and {@code listmount} (Linux 6.8; with all that an entry of the table has, 6.13).
 * Mounts have numbers here that are never given away again, other than those of the table. No mounted file system is touched.
 * Thread-safe.
 */
final class SingleMounts {
    /** All mounts of this namespace. */
    static final long ALL = -1;

    private static final long FILE_SYSTEM = 1;
    private static final long MOUNT = 2;
    private static final long ROOT = 8;
    private static final long PLACE = 0x10;
    private static final long TYPE = 0x20;
    private static final long OPTIONS = 0x80;
    private static final long SUBTYPE = 0x100;
    private static final long SOURCE = 0x200;
    private static final long NEEDED = FILE_SYSTEM | MOUNT | ROOT | PLACE | TYPE;
    private static final int TEXTS = 512;
    private static final int SMALL = 4096;
    private static final int LARGE = 1 << 17;
    private static final int AT_ONCE = 2048;
    private static final String DELETED = "//deleted";

    private static final int NO_ACCESS_TIMES = 0x10;
    private static final int ALL_ACCESS_TIMES = 0x20;

    private final Kernel kernel;

    SingleMounts(Kernel kernel) {
        this.kernel = kernel;
    }

    /**
     * One mount.
     *
     * @param entry as it stands in the table
     * @param parent the lasting number of the mount on which it is mounted
     */
    record Told(MountEntry entry, long parent) {}

    /** The number of the mount through which something is held; empty before Linux 6.8. Asks no server. */
    OptionalLong of(Descriptor held) throws KernelException {
        return kernel.mountOf(held);
    }

    /** A mount as it is now; empty if it is not mounted, not visible to this process, or not described in full. */
    Optional<Told> tell(long id) throws KernelException {
        byte[] request = request(id, FILE_SYSTEM | MOUNT | ROOT | PLACE | TYPE | OPTIONS | SUBTYPE | SOURCE);
        byte[] answer = new byte[SMALL];
        try {
            kernel.statMount(request, answer);
        } catch (KernelException e) {
            if (e.is(Errno.ENOENT)) {
                return Optional.empty();
            }
            if (!e.is(Errno.EOVERFLOW)) {
                throw e;
            }
            answer = new byte[LARGE];
            kernel.statMount(request, answer);
        }
        try {
            return read(ByteBuffer.wrap(answer).order(ByteOrder.nativeOrder()));
        } catch (IndexOutOfBoundsException | BufferUnderflowException malformed) {
            throw new KernelException(Errno.EINVAL, "statmount of mount " + id);
        }
    }

    /** All mounts below a mount, those on top of it among them; {@link #ALL}: of the namespace. In no order. */
    List<Long> below(long id) throws KernelException {
        List<Long> found = new ArrayList<>();
        byte[] ids = new byte[AT_ONCE * Long.BYTES];
        long last = 0;
        while (true) {
            int count = kernel.listMounts(request(id, last), ids);
            ByteBuffer read = ByteBuffer.wrap(ids).order(ByteOrder.nativeOrder());
            for (int i = 0; i < count; i++) {
                last = read.getLong();
                found.add(last);
            }
            if (count < AT_ONCE) {
                return found;
            }
        }
    }

    private static byte[] request(long id, long parameter) {
        byte[] request = new byte[24];
        ByteBuffer.wrap(request)
                .order(ByteOrder.nativeOrder())
                .putInt(request.length)
                .putInt(0)
                .putLong(id)
                .putLong(parameter);
        return request;
    }

    private static Optional<Told> read(ByteBuffer answer) {
        long told = answer.getLong(8);
        if ((told & NEEDED) != NEEDED) {
            return Optional.empty();
        }
        String root = text(answer, 104);
        boolean deleted = root.endsWith(DELETED);
        MountEntry entry = MountEntryBuilder.builder()
                .id(answer.getInt(56))
                .parent(answer.getInt(60))
                .device(Integer.toUnsignedString(answer.getInt(16)) + ":" + Integer.toUnsignedString(answer.getInt(20)))
                .root(deleted ? root.substring(0, root.length() - DELETED.length()) : root)
                .rootDeleted(deleted)
                .mountPoint(KernelText.path(text(answer, 108)))
                .options(options(answer.getLong(64)))
                .peerGroup(group(answer.getLong(80)))
                .master(group(answer.getLong(88)))
                .fsType(text(answer, 36) + ((told & SUBTYPE) == 0 ? "" : "." + text(answer, 120)))
                .source((told & SOURCE) == 0 ? "" : text(answer, 124))
                .superOptions(superOptions(answer.getInt(32), (told & OPTIONS) == 0 ? "" : text(answer, 4)))
                .build();
        return Optional.of(new Told(entry, answer.getLong(48)));
    }

    private static String text(ByteBuffer answer, int field) {
        int from = TEXTS + answer.getInt(field);
        int to = from;
        while (answer.get(to) != 0) {
            to++;
        }
        byte[] name = new byte[to - from];
        answer.get(from, name);
        return new String(name, Kernel.PATHS);
    }

    private static OptionalLong group(long number) {
        return number == 0 ? OptionalLong.empty() : OptionalLong.of(number);
    }

    /** In the words and the order of the table. */
    private static List<String> options(long attributes) {
        List<String> words = new ArrayList<>();
        words.add((attributes & 1) == 0 ? "rw" : "ro");
        add(words, attributes, 2, "nosuid");
        add(words, attributes, 4, "nodev");
        add(words, attributes, 8, "noexec");
        add(words, attributes, NO_ACCESS_TIMES, "noatime");
        add(words, attributes, 0x80, "nodiratime");
        if ((attributes & (NO_ACCESS_TIMES | ALL_ACCESS_TIMES)) == 0) {
            words.add("relatime");
        }
        add(words, attributes, 0x200000, "nosymfollow");
        add(words, attributes, 0x100000, "idmapped");
        return words;
    }

    private static List<String> superOptions(int flags, String own) {
        List<String> words = new ArrayList<>();
        words.add((flags & 1) == 0 ? "rw" : "ro");
        add(words, flags, 0x10, "sync");
        add(words, flags, 0x80, "dirsync");
        add(words, flags, 1 << 25, "lazytime");
        if (!own.isEmpty()) {
            words.addAll(MountInfoParser.splitOptions(KernelText.unescape(own)));
        }
        return words;
    }

    private static void add(List<String> words, long bits, long bit, String word) {
        if ((bits & bit) != 0) {
            words.add(word);
        }
    }
}
