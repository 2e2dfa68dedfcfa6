// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager;

import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.FieldProblem;
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
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;

/** A plugin that publishes when the test lets it, and knows no interruption. */
final class SlowPlugin implements StoragePlugin, Publishing {
    static final String TYPE = "slow";

    private static final PluginName NAME = new PluginName("example.com/slow");

    /** A permit for each call that has begun. */
    final Semaphore called = new Semaphore(0);

    /** What it was told to take back, by what it had answered. */
    final Queue<String> undone = new ConcurrentLinkedQueue<>();

    private final BlockingQueue<PluginState> answers = new LinkedBlockingQueue<>();
    private final Semaphore answering = new Semaphore(0);

    /** Lets so many calls end with an answer. */
    void answers(PluginState state, int calls) {
        for (int i = 0; i < calls; i++) {
            answers.add(state);
        }
        answering.release(calls);
    }

    @Override
    public PluginDescriptor describe() {
        return PluginDescriptor.of(NAME, List.of(TYPE), Place.NODE);
    }

    @Override
    public VolumeId identify(VolumeSource source) {
        return new VolumeId(NAME, "the-only-one");
    }

    @Override
    public List<FieldProblem> validate(VolumeSource source) {
        return List.of();
    }

    @Override
    public Outcome<PluginState> publish(OperationContext context, PublishRequest request) {
        called.release();
        answering.acquireUninterruptibly();
        return Outcome.done(answers.remove());
    }

    @Override
    public Outcome<Nothing> unpublish(
            OperationContext context, VolumeId volume, PodRef pod, Path target, PluginState state) {
        undone.add(state.content());
        return Outcome.done();
    }
}
