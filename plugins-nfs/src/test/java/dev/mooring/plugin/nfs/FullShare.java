// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.HostFiles;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.Made;
import dev.mooring.storage.spi.host.PinnedPath;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/** A host whose servers have no space for a file's content while something fills their disk. */
final class FullShare implements InvocationHandler {
    private final Object target;
    private final BooleanSupplier full;

    private FullShare(Object target, BooleanSupplier full) {
        this.target = target;
        this.full = full;
    }

    static HostServices of(HostServices host, BooleanSupplier full) {
        return (HostServices) wrap(HostServices.class, host, full);
    }

    private static Object wrap(Class<?> type, Object target, BooleanSupplier full) {
        return Proxy.newProxyInstance(
                FullShare.class.getClassLoader(), new Class<?>[] {type}, new FullShare(target, full));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("writeFile") && full.getAsBoolean()) {
            return Outcome.refused(Refusal.EXHAUSTED, "no space left on the share");
        }
        Object[] real = arguments == null
                ? null
                : Arrays.stream(arguments).map(FullShare::unwrapped).toArray();
        try {
            return wrapped(method.invoke(target, real));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static Object unwrapped(Object argument) {
        return argument != null
                        && Proxy.isProxyClass(argument.getClass())
                        && Proxy.getInvocationHandler(argument) instanceof FullShare share
                ? share.target
                : argument;
    }

    private Object wrapped(Object answer) {
        if (answer instanceof Outcome<?> outcome && outcome.isDone()) {
            return outcome.map(this::wrapped);
        }
        if (answer instanceof Made made) {
            return new Made((PinnedPath) wrap(PinnedPath.class, made.path(), full), made.isNew());
        }
        if (answer instanceof HostFiles files) {
            return wrap(HostFiles.class, files, full);
        }
        return answer instanceof PinnedPath path ? wrap(PinnedPath.class, path, full) : answer;
    }
}
