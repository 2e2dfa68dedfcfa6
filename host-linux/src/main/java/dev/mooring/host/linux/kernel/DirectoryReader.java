// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.kernel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads the names in a directory, as bytes that end in NUL. For one thread. */
public final class DirectoryReader {
    private static final int BUFFER_BYTES = 32 * 1024;

    private final Kernel kernel;
    private final Descriptor directory;
    private final byte[] buffer = new byte[BUFFER_BYTES];

    public DirectoryReader(Kernel kernel, Descriptor directory) {
        this.kernel = kernel;
        this.directory = directory;
    }

    /** The names of the next part; empty at the end. */
    public List<byte[]> next() throws KernelException {
        List<byte[]> names = new ArrayList<>();
        // a part may consist of nothing but "." and "..", which is not the end
        while (names.isEmpty()) {
            int length = kernel.readDirectory(directory, buffer);
            if (length == 0) {
                return names;
            }
            collect(length, names);
        }
        return names;
    }

    /** The names from here on, but not many more than the limit. */
    public List<byte[]> all(int limit) throws KernelException {
        List<byte[]> names = new ArrayList<>();
        List<byte[]> part = next();
        while (!part.isEmpty() && names.size() < limit) {
            names.addAll(part);
            part = next();
        }
        return names;
    }

    public void rewind() throws KernelException {
        kernel.rewind(directory);
    }

    /** {@code struct linux_dirent64}: inode 8, offset 8, record length 2, type 1, name. */
    private void collect(int length, List<byte[]> names) {
        ByteBuffer records = ByteBuffer.wrap(buffer).order(ByteOrder.nativeOrder());
        int at = 0;
        while (at < length) {
            int next = at + (records.getShort(at + 16) & 0xffff);
            int end = at + 19;
            while (buffer[end] != 0) {
                end++;
            }
            byte[] name = Arrays.copyOfRange(buffer, at + 19, end + 1);
            if (!isDots(name)) {
                names.add(name);
            }
            at = next;
        }
    }

    private static boolean isDots(byte[] name) {
        return name[0] == '.' && (name.length == 2 || (name.length == 3 && name[1] == '.'));
    }
}
