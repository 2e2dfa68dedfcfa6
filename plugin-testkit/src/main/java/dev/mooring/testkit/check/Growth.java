// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static dev.mooring.testkit.check.Checks.require;

import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.ControllerExpanding;
import dev.mooring.storage.spi.NodeExpanding;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.testkit.bench.Answers;
import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.LifeStep;
import dev.mooring.testkit.bench.VolumeLife;
import dev.mooring.testkit.rule.Rule;
import java.nio.file.Path;

/** One volume that is wished larger again and again, from outside of the node or on it. */
final class Growth implements Onward {
    private final VolumeLife life;
    private final boolean onNode;
    private final Quantity small;
    private Quantity wanted;
    /** Whether the plugin answers a wish for less with the size that there is, so that its answers can be compared. */
    private boolean tellsSize;

    private Growth(VolumeLife life, boolean onNode) {
        this.life = life;
        this.onNode = onNode;
        this.small = life.bench().subject().size();
        this.wanted = small;
    }

    static Growth byController(VolumeLife life) {
        return new Growth(life, false);
    }

    static Growth onNode(VolumeLife life) {
        return new Growth(life, true);
    }

    @Override
    public VolumeLife life() {
        return life;
    }

    /** On the node a raw device may grow in fewer changes than a file system. */
    @Override
    public String operation() {
        if (!onNode) {
            return "expand";
        }
        return life.mode() == VolumeMode.BLOCK ? "expandOnNode of a raw device" : "expandOnNode";
    }

    /** Takes the steps after which it can be called. */
    void begin() {
        Bench bench = life.bench();
        if (onNode) {
            life.all();
        } else if (LifeStep.PROVISION.applies(bench)) {
            life.must(LifeStep.PROVISION);
        }
    }

    /** Wishes for more than ever before; on the node that is there already. */
    Quantity more() {
        wanted = wanted.plus(small);
        if (onNode) {
            Bench bench = life.bench();
            bench.subject().grow(bench.machine(), life.spec().source(), wanted);
            if (bench.plugin().capability(ControllerExpanding.class).isPresent()) {
                OperationContext context = life.context("expand");
                bench.call(
                        "expand",
                        () -> life.capability(ControllerExpanding.class).expand(context, life.spec(), wanted));
            }
        }
        return wanted;
    }

    @Override
    public void ready() {
        if (wanted.equals(small)) {
            begin();
            more();
            Outcome<Quantity> first = VolumeLife.patiently(() -> ask(life.context(operation()), wanted));
            require(first.isDone(), Rule.K30, operation() + " was answered with " + Answers.text(first));
            tellsSize = size(ask(life.context(operation()), small)).compareTo(wanted) >= 0;
        }
        more();
    }

    @Override
    public Outcome<?> act(OperationContext context) {
        return ask(context, wanted);
    }

    /** Asks for a size. */
    Outcome<Quantity> ask(OperationContext context, Quantity size) {
        Bench bench = life.bench();
        return bench.call(
                operation(),
                () -> onNode
                        ? life.capability(NodeExpanding.class).expandOnNode(context, life.spec(), place(), size)
                        : life.capability(ControllerExpanding.class)
                                .expand(context, life.spec(), size)
                                .map(ControllerExpanding.Expansion::size));
    }

    private Path place() {
        return life.stagingPath().or(life::device).orElseGet(() -> life.target(life.pod(1)));
    }

    private Quantity size(Outcome<Quantity> answer) {
        return answer.result().orElse(Quantity.ZERO);
    }

    @Override
    public void proven(Outcome<?> answer, Rule rule, String said) {
        Outcome<Quantity> again =
                VolumeLife.patiently(() -> ask(life.context(operation()), tellsSize ? small : wanted));
        boolean enough = size(again).compareTo(wanted) >= 0;
        require(enough, rule, said + ", but of " + wanted + " that were wanted there are " + Answers.text(again));
    }
}
