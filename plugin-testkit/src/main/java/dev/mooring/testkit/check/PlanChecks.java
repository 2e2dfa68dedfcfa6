// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static dev.mooring.testkit.check.Checks.require;

import dev.mooring.storage.model.NodeSelector;
import dev.mooring.storage.model.VolumeNodeAffinity;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeTemplate;
import dev.mooring.testkit.bench.Answers;
import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.LifeStep;
import dev.mooring.testkit.bench.VolumeLife;
import dev.mooring.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a plugin plans for a claim. */
final class PlanChecks {
    private static final String NAME = "metadata.name";
    private static final NodeRef ANOTHER = new NodeRef("kit-another-node", "kit-another-uid");

    private PlanChecks() {}

    static List<Check> of(Bench bench) {
        return LifeStep.PROVISION.applies(bench)
                ? List.of(
                        Check.of(Rule.K05, "plan", PlanChecks::plan),
                        Check.cold(Rule.K06, "plan", PlanChecks::parameters))
                : List.of();
    }

    private static void plan(Bench bench) {
        ProvisionRequest request = bench.life(1).request();
        Outcome<VolumeTemplate> first = planned(bench, request);
        Outcome<VolumeTemplate> second = planned(bench, request);
        bench.restart();
        Outcome<VolumeTemplate> third = planned(bench, request);
        require(first.isDone(), Rule.K05, "a good request was answered with " + Answers.text(first));
        require(
                first.equals(second) && first.equals(third),
                Rule.K05,
                "equal requests were planned as " + Answers.text(first) + ", " + Answers.text(second) + " and "
                        + Answers.text(third));
        VolumeTemplate template = first.result().orElseThrow();
        require(
                template.capacity().compareTo(request.requested()) >= 0,
                Rule.K05,
                request.requested() + " were requested, " + template.capacity() + " planned");
        require(
                template.accessModes().containsAll(request.accessModes()),
                Rule.K05,
                request.accessModes() + " were requested, " + template.accessModes() + " planned");
        if (bench.isOfNode()) {
            place(bench, request, template);
        }
        List<FieldProblem> problems = bench.plugin().validate(template.source());
        require(problems.isEmpty(), Rule.K05, "the planned source is faulty: " + problems);
    }

    private static Outcome<VolumeTemplate> planned(Bench bench, ProvisionRequest request) {
        Outcome<VolumeTemplate> outcome = RequestVariants.planned(bench, request);
        boolean uncertain =
                outcome.match(done -> false, refused -> false, unsure -> true, deferred -> false, elsewhere -> true);
        require(!uncertain, Rule.K05, "plan was answered with " + Answers.text(outcome));
        return outcome;
    }

    private static void parameters(Bench bench) {
        List<Map<String, String>> faulty = new ArrayList<>(bench.subject().faultyParameters());
        faulty.add(Map.of("kit.unknown", "1"));
        for (Map<String, String> parameters : faulty) {
            Outcome<VolumeTemplate> outcome =
                    planned(bench, RequestVariants.with(bench.life(1).request(), parameters));
            require(
                    VolumeLife.isRefused(outcome, Refusal.INVALID),
                    Rule.K06,
                    "parameters " + parameters + " were answered with " + Answers.text(outcome));
        }
    }

    /** The data is on the node that was selected, which a planned affinity has to name as schedulers know it. */
    private static void place(Bench bench, ProvisionRequest request, VolumeTemplate template) {
        Optional<NodeSelector> required = template.nodeAffinity().flatMap(VolumeNodeAffinity::required);
        require(
                required.isPresent(),
                Rule.K05,
                "the data is on a node, and the planned nodeAffinity does not say on which");
        NodeSelector nodes = required.orElseThrow();
        require(
                !nodes.matches(bench.nodeLabels(ANOTHER), Map.of(NAME, ANOTHER.name())),
                Rule.K05,
                "the data is on a node, and the planned nodeAffinity admits " + ANOTHER.name() + " with the labels "
                        + bench.nodeLabels(ANOTHER) + ": " + nodes);
        NodeRef node = request.selectedNode().orElseThrow();
        require(
                nodes.matches(request.nodeLabels(), Map.of(NAME, node.name())),
                Rule.K05,
                "node " + node.name() + " has the labels " + request.nodeLabels()
                        + ", and the planned nodeAffinity does not admit it: " + nodes
                        + "; other labels of nodes are for the test to say, by nodeLabels()");
    }
}
