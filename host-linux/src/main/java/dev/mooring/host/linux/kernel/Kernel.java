// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.kernel;

import com.sun.jna.LastErrorException;
import dev.mooring.host.linux.kernel.Architecture.Call;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * System calls with types. Names are bytes that end in NUL, as the kernel has them: a name need not be text. Every descriptor is
 * closed when another program is executed. Thread-safe.
 */
public final class Kernel {
    public static final int CURRENT_DIRECTORY = -100;
    public static final int O_RDONLY = 0;
    public static final int O_WRONLY = 1;
    public static final int O_RDWR = 2;
    public static final int O_CREAT = 0100;
    public static final int O_EXCL = 0200;
    static final int O_NONBLOCK = 04000;
    static final int O_CLOEXEC = 02000000;
    public static final int O_PATH = 010000000;

    public static final long NO_CROSSING = 1;
    public static final long NO_MAGIC_LINKS = 2;
    public static final long NO_LINKS = 4;
    public static final long BENEATH = 8;
    /** Below a directory, on its mount, through no link (walker rule W2). */
    public static final long STRICTLY_BELOW = NO_CROSSING | NO_MAGIC_LINKS | NO_LINKS | BENEATH;

    /** As a process that is confined to a directory sees it. */
    public static final long CONFINED = NO_MAGIC_LINKS | BENEATH;

    public static final int REMOVE_DIRECTORY = 0x200;
    public static final int RENAME_NOREPLACE = 1;
    private static final int EMPTY_PATH = 0x1000;
    private static final int SYMLINK_NOFOLLOW = 0x100;
    private static final int RECURSIVE = 0x8000;
    private static final int DONT_SYNC = 0x4000;
    private static final int STATX_BASIC_AND_MOUNT = 0x7ff | 0x1000;
    private static final int STATX_LASTING_MOUNT = 0x4000;

    /** As the JDK writes paths. */
    public static final Charset PATHS = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

    private static final byte[] EMPTY = {0};

    private final Architecture machine;
    private final Umask umask = new Umask(this);

    public Kernel(Architecture machine) {
        this.machine = machine;
    }

    public static byte[] name(String text) {
        return terminated(text.getBytes(StandardCharsets.UTF_8));
    }

    public static byte[] name(Path path) {
        return terminated(path.toString().getBytes(PATHS));
    }

    static byte[] terminated(byte[] bytes) {
        return Arrays.copyOf(bytes, bytes.length + 1);
    }

    /** A name as text for people: what is not printable is escaped. */
    public static String printable(byte[] name) {
        int length = name.length > 0 && name[name.length - 1] == 0 ? name.length - 1 : name.length;
        StringBuilder text = new StringBuilder();
        new String(name, 0, length, StandardCharsets.UTF_8)
                .chars()
                .forEach(c ->
                        text.append(Character.isISOControl(c) ? String.format("\\%03o", c) : String.valueOf((char) c)));
        return text.toString();
    }

    public int directoryFlag() {
        return machine.directoryFlag;
    }

    public int noFollowFlag() {
        return machine.noFollowFlag;
    }

    /** Opens what is there, or makes a file. The umask does not change its mode. */
    public Descriptor open(int at, byte[] name, int flags, int mode) throws KernelException {
        LongSupplier open = () -> Libc.syscall(number(Call.OPENAT), at, name, flags | O_CLOEXEC, mode, 0);
        try {
            boolean makes = (flags & O_CREAT) != 0;
            return new Descriptor(this, (int) (makes ? umask.without(open) : open.getAsLong()));
        } catch (LastErrorException e) {
            throw failed(e, "open", name);
        }
    }

    public Descriptor open(int at, byte[] name, int flags, int mode, long rules) throws KernelException {
        byte[] how = new byte[24];
        ByteBuffer.wrap(how)
                .order(ByteOrder.nativeOrder())
                .putLong(Integer.toUnsignedLong(flags | O_CLOEXEC))
                .putLong(mode)
                .putLong(rules);
        // EAGAIN: something was renamed meanwhile and the kernel cannot vouch for the rules
        for (int attempt = 0; ; attempt++) {
            try {
                return new Descriptor(this, (int) Libc.syscall(Architecture.OPENAT2, at, name, how, how.length, 0));
            } catch (LastErrorException e) {
                if (e.getErrorCode() != Errno.EAGAIN || attempt == 100) {
                    throw failed(e, "open", name);
                }
            }
        }
    }

    /** Opens a directory for reading, or a held one again. */
    public Descriptor openDirectory(Descriptor held) throws KernelException {
        return open(held.number(), name("."), O_RDONLY | directoryFlag(), 0);
    }

    void close(int descriptor) {
        try {
            Libc.syscall(number(Call.CLOSE), descriptor, 0L, 0, 0, 0);
        } catch (LastErrorException ignored) {
            // the descriptor is gone whatever close(2) says; what was written is checked by fsync, not here
        }
    }

    public FileStatus status(Descriptor file) throws KernelException {
        return status(file, 0);
    }

    /**
     * Which file it is, of what kind, on which mount. The rest may be old: no server is asked, so a dead server does not block the call.
     */
    public FileStatus knownStatus(Descriptor file) throws KernelException {
        return status(file, DONT_SYNC);
    }

    private FileStatus status(Descriptor file, int how) throws KernelException {
        return status(file.number(), EMPTY, EMPTY_PATH | how);
    }

    /** Of a name itself, not of what a link at the end leads to. */
    public FileStatus status(int at, byte[] name) throws KernelException {
        return status(at, name, SYMLINK_NOFOLLOW);
    }

    /** The lasting number of the mount through which a file is held; empty before Linux 6.8. Asks no server. */
    public OptionalLong mountOf(Descriptor file) throws KernelException {
        byte[] buffer = new byte[FileStatus.BYTES];
        try {
            int flags = EMPTY_PATH | DONT_SYNC;
            Libc.syscall(number(Call.STATX), file.number(), EMPTY, flags, STATX_LASTING_MOUNT, buffer);
        } catch (LastErrorException e) {
            throw failed(e, "statx", EMPTY);
        }
        ByteBuffer fields = ByteBuffer.wrap(buffer).order(ByteOrder.nativeOrder());
        return (fields.getInt(0) & STATX_LASTING_MOUNT) == 0
                ? OptionalLong.empty()
                : OptionalLong.of(fields.getLong(144));
    }

    /** {@code statmount(2)}. */
    public void statMount(byte[] request, byte[] answer) throws KernelException {
        try {
            Libc.syscall(Architecture.STATMOUNT, request, answer, answer.length, 0, 0);
        } catch (LastErrorException e) {
            throw failed(e, "statmount", EMPTY);
        }
    }

    /** {@code listmount(2)}; answers how many numbers it wrote. */
    public int listMounts(byte[] request, byte[] ids) throws KernelException {
        try {
            return (int) Libc.syscall(Architecture.LISTMOUNT, request, ids, ids.length / Long.BYTES, 0, 0);
        } catch (LastErrorException e) {
            throw failed(e, "listmount", EMPTY);
        }
    }

    private FileStatus status(int at, byte[] name, int flags) throws KernelException {
        byte[] buffer = new byte[FileStatus.BYTES];
        try {
            Libc.syscall(number(Call.STATX), at, name, flags, STATX_BASIC_AND_MOUNT, buffer);
        } catch (LastErrorException e) {
            throw failed(e, "statx", name);
        }
        return FileStatus.read(buffer);
    }

    /** {@code struct statfs}: 120 bytes on both machines. */
    public ByteBuffer fileSystem(Descriptor file) throws KernelException {
        byte[] buffer = new byte[120];
        try {
            Libc.syscall(number(Call.FSTATFS), file.number(), buffer, 0, 0, 0);
        } catch (LastErrorException e) {
            throw failed(e, "statfs", EMPTY);
        }
        return ByteBuffer.wrap(buffer).order(ByteOrder.nativeOrder());
    }

    public String readLink(byte[] path) throws KernelException {
        return readLink(CURRENT_DIRECTORY, path);
    }

    /** Where something that is held is now; EINVAL if the locale cannot express that. */
    public Path path(Descriptor held) throws KernelException {
        String path = readLink(name(held.link()));
        try {
            return Path.of(path);
        } catch (InvalidPathException notExpressible) {
            throw new KernelException(Errno.EINVAL, "the locale cannot express the path " + path);
        }
    }

    public String readLink(int at, byte[] path) throws KernelException {
        byte[] buffer = new byte[4096];
        try {
            int length = (int) Libc.syscall(number(Call.READLINKAT), at, path, buffer, buffer.length, 0);
            return new String(buffer, 0, length, PATHS);
        } catch (LastErrorException e) {
            throw failed(e, "readlink", path);
        }
    }

    /** The umask does not change the mode; bits beyond 01777 come from the parent only. */
    public void makeDirectory(int at, byte[] name, int mode) throws KernelException {
        try {
            umask.without(() -> Libc.syscall(number(Call.MKDIRAT), at, name, mode, 0, 0));
        } catch (LastErrorException e) {
            throw failed(e, "mkdir", name);
        }
    }

    public void makeLink(String target, int at, byte[] name) throws KernelException {
        try {
            Libc.syscall(number(Call.SYMLINKAT), name(target), at, name, 0, 0);
        } catch (LastErrorException e) {
            throw failed(e, "symlink", name);
        }
    }

    public void unlink(int at, byte[] name, int flags) throws KernelException {
        try {
            Libc.syscall(number(Call.UNLINKAT), at, name, flags, 0, 0);
        } catch (LastErrorException e) {
            throw failed(e, flags == 0 ? "unlink" : "rmdir", name);
        }
    }

    public void rename(int at, byte[] name, int newAt, byte[] newName, int flags) throws KernelException {
        try {
            Libc.syscall(number(Call.RENAMEAT2), at, name, newAt, newName, flags);
        } catch (LastErrorException e) {
            throw failed(e, "rename", name);
        }
    }

    /**
     * Renames without replacing anything. Where the file system cannot promise that (NFS), the new name is looked at first: an empty
     * directory that another process makes there at this moment is lost.
     */
    public void renameToNew(int at, byte[] name, int newAt, byte[] newName) throws KernelException {
        try {
            rename(at, name, newAt, newName, RENAME_NOREPLACE);
        } catch (KernelException e) {
            if (!e.is(Errno.EINVAL)) {
                throw e;
            }
            if (exists(newAt, newName)) {
                throw new KernelException(Errno.EEXIST, "rename to a name that is taken");
            }
            rename(at, name, newAt, newName, 0);
        }
    }

    private boolean exists(int at, byte[] name) throws KernelException {
        try {
            status(at, name);
            return true;
        } catch (KernelException e) {
            if (e.is(Errno.ENOENT)) {
                return false;
            }
            throw e;
        }
    }

    /** Works for a descriptor that is only a path, too, which fchmod(2) does not. */
    public void changeMode(Descriptor file, int mode) throws KernelException {
        try {
            Libc.syscall(number(Call.FCHMODAT), CURRENT_DIRECTORY, name(file.link()), mode, 0, 0);
        } catch (LastErrorException e) {
            throw failed(e, "chmod", EMPTY);
        }
    }

    public void changeOwner(Descriptor file, int owner, int group) throws KernelException {
        try {
            Libc.syscall(number(Call.FCHOWNAT), file.number(), EMPTY, owner, group, EMPTY_PATH);
        } catch (LastErrorException e) {
            throw failed(e, "chown", EMPTY);
        }
    }

    /** Fills the buffer with directory entries; 0 at the end. */
    int readDirectory(Descriptor directory, byte[] buffer) throws KernelException {
        try {
            return (int) Libc.syscall(number(Call.GETDENTS64), directory.number(), buffer, buffer.length, 0, 0);
        } catch (LastErrorException e) {
            throw failed(e, "getdents", EMPTY);
        }
    }

    void rewind(Descriptor directory) throws KernelException {
        try {
            Libc.syscall(number(Call.LSEEK), directory.number(), 0L, 0, 0, 0);
        } catch (LastErrorException e) {
            throw failed(e, "lseek", EMPTY);
        }
    }

    public int read(Descriptor file, byte[] buffer) throws KernelException {
        try {
            return (int) Libc.syscall(number(Call.READ), file.number(), buffer, buffer.length, 0, 0);
        } catch (LastErrorException e) {
            throw failed(e, "read", EMPTY);
        }
    }

    public void writeAll(Descriptor file, byte[] content) throws KernelException {
        byte[] rest = content;
        while (rest.length > 0) {
            try {
                int written = (int) Libc.syscall(number(Call.WRITE), file.number(), rest, rest.length, 0, 0);
                rest = Arrays.copyOfRange(rest, written, rest.length);
            } catch (LastErrorException e) {
                throw failed(e, "write", EMPTY);
            }
        }
    }

    public void flush(Descriptor file) throws KernelException {
        try {
            Libc.syscall(number(Call.FSYNC), file.number(), 0L, 0, 0, 0);
        } catch (LastErrorException e) {
            throw failed(e, "fsync", EMPTY);
        }
    }

    /** Flushes a directory that is held as a path only. */
    public void flushDirectory(Descriptor held) throws KernelException {
        try (Descriptor readable = openDirectory(held)) {
            flush(readable);
        }
    }

    public Descriptor cloneTree(Descriptor source, boolean recursive) throws KernelException {
        int flags = 1 | O_CLOEXEC | EMPTY_PATH | (recursive ? RECURSIVE : 0);
        try {
            return new Descriptor(
                    this, (int) Libc.syscall(Architecture.OPEN_TREE, source.number(), EMPTY, flags, 0, 0));
        } catch (LastErrorException e) {
            throw failed(e, "open_tree", EMPTY);
        }
    }

    public void setMountAttributes(Descriptor tree, long attributes, long propagation) throws KernelException {
        byte[] attr = new byte[32];
        ByteBuffer.wrap(attr)
                .order(ByteOrder.nativeOrder())
                .putLong(attributes)
                .putLong(0)
                .putLong(propagation);
        try {
            Libc.syscall(Architecture.MOUNT_SETATTR, tree.number(), EMPTY, EMPTY_PATH | RECURSIVE, attr, attr.length);
        } catch (LastErrorException e) {
            throw failed(e, "mount_setattr", EMPTY);
        }
    }

    void moveMount(Descriptor tree, Descriptor target) throws KernelException {
        int bothEmpty = 0x4 | 0x40;
        try {
            Libc.syscall(Architecture.MOVE_MOUNT, tree.number(), EMPTY, target.number(), EMPTY, bothEmpty);
        } catch (LastErrorException e) {
            throw failed(e, "move_mount", EMPTY);
        }
    }

    public void unmount(byte[] path, int flags) throws KernelException {
        try {
            Libc.syscall(number(Call.UMOUNT2), path, flags, 0, 0, 0);
        } catch (LastErrorException e) {
            throw failed(e, "umount", EMPTY);
        }
    }

    public void kill(long process, int signal) throws KernelException {
        try {
            Libc.syscall(number(Call.KILL), process, (long) signal, 0, 0, 0);
        } catch (LastErrorException e) {
            throw failed(e, "kill", EMPTY);
        }
    }

    public int effectiveUser() {
        return (int) Libc.syscall(number(Call.GETEUID), 0, 0L, 0, 0, 0);
    }

    /** Sets the umask of the process, or of this thread if it has parted from it; answers what it was. */
    public int umask(int mask) {
        return (int) Libc.syscall(number(Call.UMASK), mask, 0L, 0, 0, 0);
    }

    /**
     * Makes a mount of a file system, with all its flags at once: it is never visible without them.
     *
     * @param place a path that leads to what is mounted on; a link at its end is followed
     * @param data the file system's own options, separated by commas
     */
    public void mount(byte[] source, byte[] place, byte[] type, long flags, byte[] data) throws KernelException {
        try {
            Libc.syscall(number(Call.MOUNT), source, place, type, flags, data);
        } catch (LastErrorException e) {
            throw failed(e, "mount", source);
        }
    }

    public int directFlag() {
        return machine.directFlag;
    }

    int number(Call call) {
        return machine.number(call);
    }

    static KernelException failed(LastErrorException e, String call, byte[] name) {
        return new KernelException(e.getErrorCode(), name.length <= 1 ? call : call + " " + printable(name));
    }
}
