// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.kernel;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;

/**
 * The one native function that is used: {@code syscall(2)}. Everything goes through it, since the C library of a distribution may be
 * older than its kernel and lacks wrappers for the mount calls.
 */
final class Libc {
    static {
        Native.register(Libc.class, NativeLibrary.getInstance("c"));
    }

    private Libc() {}

    static native long syscall(long number, long a, long b, long c, long d, long e) throws LastErrorException;

    static native long syscall(long number, long a, byte[] b, long c, long d, long e) throws LastErrorException;

    static native long syscall(long number, byte[] a, long b, long c, long d, long e) throws LastErrorException;

    static native long syscall(long number, long a, byte[] b, byte[] c, long d, long e) throws LastErrorException;

    static native long syscall(long number, long a, byte[] b, long c, byte[] d, long e) throws LastErrorException;

    static native long syscall(long number, long a, byte[] b, long c, long d, byte[] e) throws LastErrorException;

    static native long syscall(long number, byte[] a, byte[] b, long c, long d, long e) throws LastErrorException;

    static native long syscall(long number, byte[] a, byte[] b, byte[] c, long d, byte[] e) throws LastErrorException;

    static native long syscall(long number, long a, long b, byte[] c, long d, long e) throws LastErrorException;

    static native long syscall(long number, byte[] a, long b, byte[] c, long d, long e) throws LastErrorException;

    static native long syscall(long number, long a, long b, long c, byte[] d, long e) throws LastErrorException;

    static native long syscall(long number, long a, long b, long c, long d, long e, long f) throws LastErrorException;
}
