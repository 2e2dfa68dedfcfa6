// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StageRequest;
import dev.mooring.storage.spi.Staging;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A plugin that does what its volumes say. */
@SuppressWarnings("NullAway") // this is what it is for
final class OddPlugin implements StoragePlugin, Attaching, Staging, Publishing {
    private static final PluginName NAME = new PluginName("example.com/odd");
    private static final String DEVICE_PATH = "devicePath";

    /** A call that hangs has begun. */
    final CountDownLatch called = new CountDownLatch(1);

    /** Lets it end. */
    final CountDownLatch released = new CountDownLatch(1);

    final AtomicInteger unpublished = new AtomicInteger();

    private final String type;

    OddPlugin(String type) {
        this.type = type;
    }

    @Override
    public PluginDescriptor describe() {
        return PluginDescriptor.of(NAME, List.of(type), Place.NODE);
    }

    private static String how(VolumeSource source) {
        return source.attributes().text("how").orElse("");
    }

    @Override
    public VolumeId identify(VolumeSource source) {
        return switch (how(source)) {
            case "identify-throws" -> throw new IllegalStateException("identify was odd");
            case "identify-null" -> null;
            default -> new VolumeId(NAME, how(source));
        };
    }

    @Override
    public List<FieldProblem> validate(VolumeSource source) {
        return switch (how(source)) {
            case "validate-throws" -> throw new IllegalStateException("validate was odd");
            case "validate-null" -> null;
            default -> List.of();
        };
    }

    @Override
    public boolean requiresAttach(VolumeSpec volume) {
        return how(volume.source()).startsWith("attach-");
    }

    @Override
    public Outcome<Map<String, String>> attach(OperationContext context, VolumeSpec volume, NodeRef node) {
        Map<String, String> nothing = new HashMap<>();
        nothing.put(DEVICE_PATH, null);
        return switch (how(volume.source())) {
            case "attach-null" -> null;
            case "attach-null-device" -> Outcome.done(nothing);
            case "attach-foreign" -> Outcome.done(Map.of(DEVICE_PATH, "/dev/foreign"));
            default -> Outcome.done(Map.of());
        };
    }

    @Override
    public Outcome<Nothing> detach(OperationContext context, VolumeId volume, NodeRef node) {
        return Outcome.done();
    }

    @Override
    public Map<VolumeId, State> observe(OperationContext context, NodeRef node, Set<VolumeId> volumes) {
        return Map.of();
    }

    /** What was attached is looked at here, as by plugins whose nodes have to find a device. */
    @Override
    public Outcome<PluginState> stage(OperationContext context, StageRequest request) {
        String device = request.attached().getOrDefault(DEVICE_PATH, "no device was told");
        return switch (how(request.volume().source())) {
            case "stage-null" -> null;
            case "stage-done-null" -> Outcome.done(null);
            case "attach-foreign" -> Outcome.refused(Refusal.CORRUPT, device + " is not the device of this volume");
            case "attach-nothing" -> Outcome.refused(Refusal.NOT_FOUND, device);
            default -> Outcome.done(PluginState.NONE);
        };
    }

    @Override
    public Outcome<Nothing> unstage(OperationContext context, VolumeId volume, Path stagingPath, PluginState state) {
        return Outcome.done();
    }

    @Override
    public Outcome<PluginState> publish(OperationContext context, PublishRequest request) {
        return switch (how(request.volume().source())) {
            case "throws" -> throw new IllegalStateException("publish was odd");
            case "overflows" -> throw new StackOverflowError("publish was very odd");
            case "answers-null" -> null;
            default -> hang();
        };
    }

    /** No interruption helps. */
    private Outcome<PluginState> hang() {
        called.countDown();
        boolean interrupted = false;
        while (released.getCount() > 0) {
            try {
                released.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return Outcome.done(PluginState.NONE);
    }

    @Override
    public Outcome<Nothing> unpublish(
            OperationContext context, VolumeId volume, PodRef pod, Path target, PluginState state) {
        unpublished.incrementAndGet();
        return Outcome.done();
    }
}
