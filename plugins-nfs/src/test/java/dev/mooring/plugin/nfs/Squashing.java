// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.FileFacts;
import dev.mooring.storage.spi.host.HostFiles;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.Made;
import dev.mooring.storage.spi.host.PinnedPath;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;

/** A host whose servers map root to the anonymous user: that user owns what root makes. */
final class Squashing implements InvocationHandler {
    static final int ANONYMOUS = 65_534;

    private final Object target;

    private Squashing(Object target) {
        this.target = target;
    }

    static HostServices of(HostServices host) {
        return (HostServices) wrap(HostServices.class, host);
    }

    private static Object wrap(Class<?> type, Object target) {
        return Proxy.newProxyInstance(Squashing.class.getClassLoader(), new Class<?>[] {type}, new Squashing(target));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        Object[] real = arguments == null
                ? null
                : Arrays.stream(arguments).map(Squashing::unwrapped).toArray();
        try {
            return wrapped(method.invoke(target, real));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static Object unwrapped(Object argument) {
        return argument != null
                        && Proxy.isProxyClass(argument.getClass())
                        && Proxy.getInvocationHandler(argument) instanceof Squashing squashing
                ? squashing.target
                : argument;
    }

    private static Object wrapped(Object answer) {
        if (answer instanceof Outcome<?> outcome && outcome.isDone()) {
            return outcome.map(Squashing::wrapped);
        }
        if (answer instanceof Made made) {
            return new Made((PinnedPath) wrap(PinnedPath.class, made.path()), made.isNew());
        }
        if (answer instanceof FileFacts facts && facts.owner() == 0) {
            return new FileFacts(
                    facts.kind(),
                    facts.identity(),
                    facts.mode(),
                    ANONYMOUS,
                    facts.group(),
                    facts.size(),
                    facts.mountId());
        }
        if (answer instanceof HostFiles files) {
            return wrap(HostFiles.class, files);
        }
        return answer instanceof PinnedPath path ? wrap(PinnedPath.class, path) : answer;
    }
}
