// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules and directives of strategic merge patches. */
class StrategicPatchTest {
    private static final KubernetesJson JSON = KubernetesJson.standard();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'spec':{'a':1,'b':2}} | {'spec':{'b':null,'c':3}} | {'spec':{'a':1,'c':3}}",
                "{'spec':{'accessModes':['A','B']}} | {'spec':{'accessModes':['C']}} | {'spec':{'accessModes':['C']}}",
                "{'metadata':{'finalizers':['a','c']}} | {'metadata':{'finalizers':['b','c']}} | {'metadata':{'finalizers':['b','a','c']}}",
                "{'metadata':{'finalizers':['a']}} | {'metadata':{'finalizers':null}} | {'metadata':{}}",
                "{'metadata':{'finalizers':['a','b']}} | {'metadata':{'$deleteFromPrimitiveList/finalizers':['a']}} | {'metadata':{'finalizers':['b']}}",
                "{'spec':{'volumes':[{'name':'a','x':1},{'name':'b'}]}} | {'spec':{'volumes':[{'name':'a','y':2},{'name':'c'}]}} | {'spec':{'volumes':[{'name':'a','x':1,'y':2},{'name':'c'},{'name':'b'}]}}",
                "{'spec':{'volumes':[{'name':'a'},{'name':'b'}]}} | {'spec':{'volumes':[{'$patch':'delete','name':'a'}]}} | {'spec':{'volumes':[{'name':'b'}]}}",
                "{'spec':{'volumes':[{'name':'a'}]}} | {'spec':{'volumes':[{'$patch':'replace'},{'name':'z'}]}} | {'spec':{'volumes':[{'name':'z'}]}}",
                "{'spec':{'volumes':[{'name':'a'},{'name':'b'}]}} | {'spec':{'volumes':[{'name':'y'},{'$patch':'replace','name':'a','x':1},{'name':'b','x':1},{'name':'y','x':1}]}} | {'spec':{'volumes':[{'name':'y'},{'name':'b','x':1},{'name':'y','x':1}]}}",
                "{'spec':{'volumes':[{'name':'a'},{'name':'b'}]}} | {'spec':{'volumes':[{'$patch':'replace'},{'$patch':'delete','name':'a'},{'name':'b','x':1}]}} | {'spec':{'volumes':[{'name':'b','x':1}]}}",
                "{'spec':{'volumes':[{'name':'a'}]}} | {'spec':{'volumes':[{'$patch':'replace'}]}} | {'spec':{'volumes':[]}}",
                "{'spec':{'volumes':[{'name':'a'}]}} | {'spec':{'$setElementOrder/volumes':[{'name':'z'},{'name':'y'}],'volumes':[{'$patch':'replace'},{'name':'y'},{'name':'z'}]}} | {'spec':{'volumes':[{'name':'z'},{'name':'y'}]}}",
                "{'spec':{'volumes':[{'name':'a','nfs':{}}]}} | {'spec':{'volumes':[{'name':'a','nfs':null,'emptyDir':{},'$retainKeys':['name','emptyDir']}]}} | {'spec':{'volumes':[{'name':'a','emptyDir':{}}]}}",
                "{'spec':{'volumes':[{'name':'a','nfs':{}}]}} | {'spec':{'volumes':[{'name':'a','emptyDir':{},'$retainKeys':['name','emptyDir']}]}} | {'spec':{'volumes':[{'name':'a','emptyDir':{}}]}}",
                "{'spec':{'volumes':[{'name':'a'},{'name':'b'}]}} | {'spec':{'$setElementOrder/volumes':[{'name':'b'},{'name':'a'}],'volumes':[{'name':'a','x':1}]}} | {'spec':{'volumes':[{'name':'b'},{'name':'a','x':1}]}}",
                "{'spec':{'volumes':[{'name':'a'},{'name':'b'},{'name':'c'},{'name':'d'}]}} | {'spec':{'$setElementOrder/volumes':[{'name':'d'},{'name':'b'}]}} | {'spec':{'volumes':[{'name':'a'},{'name':'c'},{'name':'d'},{'name':'b'}]}}",
                "{'spec':{'volumes':[{'name':'x'},{'name':'a'},{'name':'b'},{'name':'y'}]}} | {'spec':{'$setElementOrder/volumes':[{'name':'a'},{'name':'b'}]}} | {'spec':{'volumes':[{'name':'x'},{'name':'a'},{'name':'b'},{'name':'y'}]}}",
                "{'spec':{'volumes':[{'name':'a'},{'name':'x'},{'name':'b'}]}} | {'spec':{'$setElementOrder/volumes':[{'name':'a'},{'name':'new'},{'name':'b'}],'volumes':[{'name':'new'}]}} | {'spec':{'volumes':[{'name':'a'},{'name':'new'},{'name':'x'},{'name':'b'}]}}",
                "{'spec':{'volumes':[{'name':'x'}]}} | {'spec':{'$setElementOrder/volumes':[{'name':'new'}],'volumes':[{'name':'new'}]}} | {'spec':{'volumes':[{'name':'new'},{'name':'x'}]}}",
                "{'metadata':{'finalizers':['x','a']}} | {'metadata':{'$setElementOrder/finalizers':['b','a'],'finalizers':['b']}} | {'metadata':{'finalizers':['b','x','a']}}",
                "{'spec':{'a':1}} | {'spec':{'$patch':'replace','b':2}} | {'spec':{'b':2}}",
                "{'spec':{'a':{'b':1}}} | {'spec':{'a':{'$patch':'delete'}}} | {'spec':{'a':{}}}",
                "{'spec':{'containers':[{'name':'m','env':[{'name':'A','value':'1'}]}]}} | {'spec':{'containers':[{'name':'m','env':[{'name':'B','value':'2'}]}]}} | {'spec':{'containers':[{'name':'m','env':[{'name':'B','value':'2'},{'name':'A','value':'1'}]}]}}",
                "{'spec':{'drivers':[{'name':'a.csi','nodeID':'1'}]}} | {'spec':{'drivers':[{'name':'b.csi','nodeID':'2'}]}} | {'spec':{'drivers':[{'name':'b.csi','nodeID':'2'},{'name':'a.csi','nodeID':'1'}]}}",
                "{'spec':{'schedulingGates':[{'name':'a'},{'name':'b'}]}} | {'spec':{'schedulingGates':[{'$patch':'delete','name':'a'}]}} | {'spec':{'schedulingGates':[{'name':'b'}]}}",
                "{'spec':{'ephemeralContainers':[{'name':'e','volumeMounts':[{'mountPath':'/a'}]}]}} | {'spec':{'ephemeralContainers':[{'name':'e','volumeMounts':[{'mountPath':'/b'}]}]}} | {'spec':{'ephemeralContainers':[{'name':'e','volumeMounts':[{'mountPath':'/b'},{'mountPath':'/a'}]}]}}",
                "{'status':{'conditions':[{'type':'Ready','status':'True'}]}} | {'status':{'conditions':[{'type':'Ready','status':'False'}]}} | {'status':{'conditions':[{'type':'Ready','status':'False'}]}}",
            })
    void applies(String before, String patch, String after) {
        assertThat(StrategicPatch.apply(json(before), json(patch))).isEqualTo(json(after));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'spec':{'$setElementOrder/volumes':{'name':'a'}}} | invalid patch format of setElementOrder",
                "{'spec':{'$setElementOrder/volumes':null}} | invalid patch format of setElementOrder",
                "{'spec':{'$setElementOrder':[{'name':'a'}]}} | invalid patch format of setElementOrder",
                "{'spec':{'$setElementOrder/':[{'name':'a'}]}} | invalid patch format of setElementOrder",
                "{'spec':{'$setElementOrdering/volumes':[]}} | invalid patch format of setElementOrder",
                "{'metadata':{'$deleteFromPrimitiveList':['a']}} | invalid patch format of deleteFromPrimitiveList",
                "{'metadata':{'$deleteFromPrimitiveList/finalizers':'a'}} | invalid patch format of deleteFromPrimitiveList",
                "{'spec':{'volumes':[{'name':'a','$retainKeys':'name'}]}} | invalid patch format of retainKeys",
                "{'spec':{'volumes':[{'name':'a','$retainKeys':null}]}} | invalid patch format of retainKeys",
                "{'spec':{'volumes':[{'name':'a','$retainKeys':['name',7]}]}} | invalid patch format of retainKeys",
                "{'spec':{'volumes':[{'name':'a','x':1,'$retainKeys':['name']}]}} | x is not among them",
                "{'spec':{'volumes':[{'name':'new','$patch':'fly'}]}} | Unknown patch type found: fly",
                "{'spec':{'volumes':[{'$patch':'delete'}]}} | merge key: name",
                "{'spec':{'volumes':[{'$patch':'replace'},{'x':1}]}} | merge key: name",
                "{'spec':{'volumes':[{'$patch':'replace'},7]}} | an element of volumes is an object",
            })
    void refusesDirectivesThatAreMalformed(String patch, String message) {
        Document before = json("{'metadata':{'finalizers':['a']},'spec':{'volumes':[{'name':'a'},{'name':'b'}]}}");
        assertThatExceptionOfType(PatchException.class)
                .isThrownBy(() -> StrategicPatch.apply(before, json(patch)))
                .withMessageContaining(message)
                .matches(refused -> !refused.isUnfit());
    }

    @Test
    void anElementWithoutItsKeyIsRefused() {
        assertThatExceptionOfType(PatchException.class)
                .isThrownBy(() -> StrategicPatch.apply(
                        json("{'spec':{'volumes':[{'name':'a'}]}}"), json("{'spec':{'volumes':[{'x':1}]}}")))
                .withMessageContaining("merge key: name");
    }

    private static Document json(String text) {
        return JSON.read(text.replace('\'', '"'), "test");
    }

    /** Merging each entry with a look at all others would take minutes. */
    @Test
    @Timeout(600)
    void longListsAreMergedInOneGo() {
        List<Object> many = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            many.add(Map.of("name", "v" + i));
        }
        Document pod = Document.of(Map.of("spec", Map.of("volumes", many)));
        assertThat(StrategicPatch.apply(pod, pod)).isEqualTo(pod);
    }
}
