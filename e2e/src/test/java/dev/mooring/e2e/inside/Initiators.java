// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import dev.mooring.storage.model.IscsiSource;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.StageRequest;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeSpec;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A kernel has one initiator name unless a volume says another. Two nodes on one kernel become two initiators when each sees the volume with
 * a name of its own; all else is the plugin's.
 */
final class Initiators {
    private Initiators() {}

    /** The plugin as a node with this initiator name uses it. */
    static StoragePlugin named(String initiator, StoragePlugin plugin) {
        return (StoragePlugin) Proxy.newProxyInstance(
                plugin.getClass().getClassLoader(),
                interfaces(plugin.getClass()).toArray(Class<?>[]::new),
                (self, method, arguments) -> {
                    Object[] changed = arguments == null
                            ? null
                            : Arrays.stream(arguments)
                                    .map(argument -> changed(initiator, argument))
                                    .toArray();
                    try {
                        return wrapped(method.invoke(plugin, changed), plugin, self);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** A plugin answers itself when it is asked for what it can do. */
    private static Object wrapped(Object answer, StoragePlugin plugin, Object self) {
        if (answer == plugin) {
            return self;
        }
        return answer instanceof Optional<?> some && some.isPresent() && some.get() == plugin
                ? Optional.of(self)
                : answer;
    }

    private static Set<Class<?>> interfaces(Class<?> type) {
        Set<Class<?>> found = new LinkedHashSet<>();
        Deque<Class<?>> left = new ArrayDeque<>(Arrays.asList(type.getInterfaces()));
        while (!left.isEmpty()) {
            Class<?> next = left.remove();
            // A sealed one comes with those that it permits.
            if (!next.isSealed()) {
                found.add(next);
            }
            left.addAll(Arrays.asList(next.getInterfaces()));
        }
        return found;
    }

    private static Object changed(String initiator, Object argument) {
        if (argument instanceof VolumeSpec volume) {
            return with(initiator, volume);
        }
        if (argument instanceof StageRequest stage) {
            return new StageRequest(
                    with(initiator, stage.volume()),
                    stage.stagingPath(),
                    stage.attached(),
                    stage.readOnly(),
                    stage.group());
        }
        if (argument instanceof PublishRequest publish) {
            return new PublishRequest(
                    with(initiator, publish.volume()),
                    publish.pod(),
                    publish.target(),
                    publish.stagingPath(),
                    publish.readOnly(),
                    publish.occasion(),
                    publish.bidirectional(),
                    publish.group());
        }
        return argument;
    }

    private static VolumeSpec with(String initiator, VolumeSpec volume) {
        return IscsiSource.of(volume.source())
                .map(source -> new VolumeSpec(
                        volume.name(),
                        volume.uid(),
                        new IscsiSource(
                                        source.targetPortal(),
                                        source.portals(),
                                        source.iqn(),
                                        source.lun(),
                                        source.fsType(),
                                        source.readOnly(),
                                        source.iscsiInterface(),
                                        source.chapAuthDiscovery(),
                                        source.chapAuthSession(),
                                        initiator)
                                .toSource(),
                        volume.accessModes(),
                        volume.mode(),
                        volume.capacity(),
                        volume.mountOptions(),
                        volume.annotations()))
                .orElse(volume);
    }
}
