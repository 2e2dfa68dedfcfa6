// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.HostFiles;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.Made;
import dev.mooring.storage.spi.host.Mounts;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.ProcessRunner;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** A host that dies right after its n-th change of the world: the answer of that change is lost. */
final class Crashing implements InvocationHandler {
    private static final Set<String> CHANGES = Set.of(
            "run",
            "unmount",
            "empty",
            "openOrMake",
            "makeDirectory",
            "writeFile",
            "removeFile",
            "removeDirectory",
            "rename",
            "setMode",
            "setOwner");
    private static final List<Class<?>> WRAPPED =
            List.of(HostFiles.class, Mounts.class, ProcessRunner.class, PinnedPath.class);

    private final Object target;
    private final int[] left;

    private Crashing(Object target, int[] left) {
        this.target = target;
        this.left = left;
    }

    /** The end of the process. */
    static final class Death extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    static HostServices after(int changes, HostServices host) {
        return (HostServices) wrap(HostServices.class, host, new int[] {changes});
    }

    private static Object wrap(Class<?> type, Object target, int[] left) {
        return Proxy.newProxyInstance(
                Crashing.class.getClassLoader(), new Class<?>[] {type}, new Crashing(target, left));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        Object[] real = arguments == null
                ? null
                : Arrays.stream(arguments).map(Crashing::unwrapped).toArray();
        Object answer;
        try {
            answer = method.invoke(target, real);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        if (CHANGES.contains(method.getName()) && --left[0] == 0) {
            release(answer);
            throw new Death();
        }
        return wrapped(answer);
    }

    private static Object unwrapped(Object argument) {
        return argument != null
                        && Proxy.isProxyClass(argument.getClass())
                        && Proxy.getInvocationHandler(argument) instanceof Crashing crashing
                ? crashing.target
                : argument;
    }

    private Object wrapped(Object answer) {
        if (answer instanceof Outcome<?> outcome && outcome.isDone()) {
            return outcome.map(this::wrapped);
        }
        if (answer instanceof Made made) {
            return new Made((PinnedPath) wrap(PinnedPath.class, made.path(), left), made.isNew());
        }
        for (Class<?> type : WRAPPED) {
            if (type.isInstance(answer)) {
                return wrap(type, answer, left);
            }
        }
        return answer;
    }

    private static void release(Object answer) {
        if (answer instanceof Outcome<?> outcome) {
            outcome.result().ifPresent(Crashing::release);
        } else if (answer instanceof Made made) {
            made.path().close();
        } else if (answer instanceof PinnedPath path) {
            path.close();
        }
    }
}
