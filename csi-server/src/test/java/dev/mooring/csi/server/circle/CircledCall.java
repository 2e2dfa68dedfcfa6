// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server.circle;

import dev.mooring.storage.model.AttachmentNames;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeAttachmentSource;
import dev.mooring.storage.model.VolumeAttachmentSpec;
import dev.mooring.storage.model.VolumeAttachmentStatus;
import dev.mooring.storage.spi.Capability;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The calls of one capability of a {@link CircledPlugin}. */
final class CircledCall implements InvocationHandler {
    /** What a frame has to arrive in meanwhile that is on its way between two threads. */
    private static final int QUIET_LOOKS = 10;

    private static final Set<String> WAITING =
            Set.of("epollWait", "epollWait0", "wait", "select", "getTask", "take", "tryAcquire");

    private final Circle circle;
    private final Capability called;
    private final boolean ofNode;

    /**
     * Calls Mooring's side of a driver.
     *
     * @param ofNode whether it is the node's; the controllers call volumes by the driver's name for them alone
     */
    CircledCall(Circle circle, Capability called, boolean ofNode) {
        this.circle = circle;
        this.called = called;
        this.ofNode = ofNode;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] given) throws Throwable {
        Object[] arguments = given == null ? new Object[0] : given;
        if (method.getDeclaringClass() == Object.class) {
            return ofObject(proxy, method, arguments);
        }
        of(arguments, ProvisionRequest.class).ifPresent(this::claim);
        if (method.getName().equals("attach")) {
            attachment(
                    of(arguments, VolumeSpec.class).orElseThrow(),
                    of(arguments, NodeRef.class).orElseThrow());
        }
        Optional<OperationContext> context = of(arguments, OperationContext.class);
        Object[] translated = ofNode
                ? arguments
                : Arrays.stream(arguments).map(this::translated).toArray();
        return context.isEmpty() ? call(method, translated) : back(arguments, on(context.get(), method, translated));
    }

    private Object ofObject(Object proxy, Method method, Object[] arguments) {
        return switch (method.getName()) {
            case "equals" -> proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> called.toString();
        };
    }

    private static <T> Optional<T> of(Object[] arguments, Class<T> type) {
        return Stream.of(arguments).filter(type::isInstance).map(type::cast).findFirst();
    }

    // ---- objects that are there when a cluster makes these calls; one that is there already is as good

    private void claim(ProvisionRequest request) {
        circle.store.create(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                PersistentVolumeClaim.of(
                        request.claim().namespace(), request.claim().name(), PersistentVolumeClaimSpec.EMPTY));
    }

    private void attachment(VolumeSpec volume, NodeRef node) {
        String handle = backend(circle.node.identify(volume.source()));
        circle.store.create(
                Kinds.VOLUME_ATTACHMENT,
                new VolumeAttachment(
                        ObjectMeta.named(AttachmentNames.of(handle, Circle.DRIVER, node.name())),
                        new VolumeAttachmentSpec(
                                Circle.DRIVER,
                                node.name(),
                                new VolumeAttachmentSource(Optional.of(volume.name()), Optional.empty())),
                        VolumeAttachmentStatus.EMPTY));
    }

    // ---- names of volumes

    /** Without the driver. */
    private static String backend(VolumeId ofNode) {
        return ofNode.backend().substring(ofNode.backend().indexOf('^') + 1);
    }

    private VolumeId inControllers(VolumeId ofNode) {
        return new VolumeId(circle.controllers.describe().name(), backend(ofNode));
    }

    private Object translated(Object argument) {
        if (argument instanceof VolumeId id) {
            return inControllers(id);
        }
        return argument instanceof Set<?> ids
                ? ids.stream().map(id -> inControllers((VolumeId) id)).collect(Collectors.toSet())
                : argument;
    }

    /** What is answered about volumes is about those that were asked for. */
    private Object back(Object[] asked, Object answer) {
        if (ofNode || !(answer instanceof Map<?, ?> states)) {
            return answer;
        }
        Set<?> ids = of(asked, Set.class).orElse(Set.of());
        return ids.stream().collect(Collectors.toMap(id -> id, id -> states.get(inControllers((VolumeId) id))));
    }

    // ---- the call

    private Object call(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(called, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** The driver works on the machine of the call. If that died, so did the driver, and the call has no answer. */
    private Object on(OperationContext context, Method method, Object[] arguments) throws Throwable {
        circle.host.set(context.host());
        Object answer = call(method, arguments);
        if (answer instanceof Outcome<?> outcome && !outcome.isDone()) {
            awaitDriver();
        }
        // A look at a machine that has died does not come back.
        context.host().sysfs().read(Path.of("/sys/kernel"));
        return answer;
    }

    /** A call that was given up goes on in the driver's process for a while. What it leaves is looked at when it has ended. */
    private static void awaitDriver() {
        int quiet = 0;
        while (quiet < QUIET_LOOKS) {
            quiet = Thread.getAllStackTraces().entrySet().stream().anyMatch(CircledCall::works) ? 0 : quiet + 1;
        }
    }

    /** Whether a thread of the driver or of its connection does anything but wait for work. */
    private static boolean works(Map.Entry<Thread, StackTraceElement[]> each) {
        String name = each.getKey().getName();
        return (name.startsWith("csi-call-") || name.startsWith("mooring-csi-"))
                && each.getValue().length > 0
                && Arrays.stream(each.getValue()).noneMatch(frame -> WAITING.contains(frame.getMethodName()));
    }
}
